// Arcs of a circle in which conditions hold.
//
// A condition on an angle x whose boundary is a cos x + b sin x = d changes only at the roots of that equation, at most
// two. So the roots of all conditions divide the circle into pieces in which all conditions are constant: a check in
// the middle of each piece decides, and neighbouring pieces in which all conditions hold form an arc.
#pragma once

#include <algorithm>

#include "angles.hpp"

namespace limbik::geometry {

// Part of a circle between -pi and pi [rad].
struct Piece {
    double low, high;
};

// Join the pieces k = 0, 1, ... for which `holds(k)` is true into arcs, in order; piece k is from bounds[k] to
// bounds[k + 1]. Returns the number of arcs.
template <class Holds> inline int join_pieces(const double* bounds, int pieces, const Holds& holds, Piece* out) {
    int count = 0;
    for (int k = 0; k < pieces; ++k) {
        if (!holds(k)) continue;
        if (k > 0 && holds(k - 1)) out[count - 1].high = bounds[k + 1];
        else out[count++] = {bounds[k], bounds[k + 1]};
    }
    return count;
}

// Join the last arc, where it ends at pi, with the first, where that begins at -pi. The result is the last arc and ends
// past pi; with `as_first` it is the first arc and begins before -pi. Returns the number of arcs left.
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
