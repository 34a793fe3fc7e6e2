// Arcs of a circle in which conditions hold.
//
// A condition on an angle x whose boundary is a cos x + b sin x = d changes only at the roots of that equation, at most
// two. So the roots of all conditions divide the circle into pieces in which all conditions are constant: a check in
// the middle of each decides, and neighbouring pieces that hold make an arc.
#pragma once

#include <algorithm>

#include "angles.hpp"

namespace limbik::geometry {

// Part of a circle between -pi and pi [rad].
struct Piece {
    double low, high;
};

// The arcs in which `holds(k)` is true of the pieces k = 0, 1, ..., each from bounds[k] to bounds[k + 1], in order.
// Returns how many.
template <class Holds> inline int join_pieces(const double* bounds, int pieces, const Holds& holds, Piece* out) {
    int count = 0;
    for (int k = 0; k < pieces; ++k) {
        if (!holds(k)) continue;
        if (k > 0 && holds(k - 1)) out[count - 1].high = bounds[k + 1];
        else out[count++] = {bounds[k], bounds[k + 1]};
    }
    return count;
}

// An arc that ends at pi goes on in one that begins at -pi: they become one, the last, which ends past pi, or with
// `as_first` the first, which begins before -pi. Returns how many are left.
template <class Arc> inline int join_over_half_turn(Arc* arcs, int count, bool as_first = false) {
    if (count < 2 || arcs[0].low != -PI || arcs[count - 1].high != PI) return count;
    if (as_first) {
        arcs[0].low = arcs[count - 1].low - TURN;
    } else {
        arcs[count - 1].high = arcs[0].high + TURN;
        std::copy(arcs + 1, arcs + count, arcs);
    }
    return count - 1;
}

}  // namespace limbik::geometry
