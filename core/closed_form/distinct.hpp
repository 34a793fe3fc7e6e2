// Which postures of a target are kept: each once, and no near miss beside an exact one.
#pragma once

#include <algorithm>

#include "postures.hpp"

namespace limbik::closed_form {

// Beside a fold that the target does not quite reach, a posture may come within the tolerances and yet be no root. It
// is an answer where there is no other; beside exact ones it is left out.
inline int without_near_misses(double scale, Posture* found, int count) {
    const auto exact = [&](const Posture& p) { return p.errors.within({NEARLY_EXACT * scale, NEARLY_EXACT}); };
    bool inside = false, any = false;
    for (int k = 0; k < count; ++k)
        any = any || exact(found[k]), inside = inside || (exact(found[k]) && found[k].inside);
    const auto is_near_miss = [&](const Posture& p) { return !exact(p) && !p.family && (p.inside ? inside : any); };
    return int(std::remove_if(found, found + count, is_near_miss) - found);
}

// Postures that are one are joined; the more exact one stays, inside the limits if either is.
template <int N> int merged(const ScalarChain& chain, double scale, Posture* found, int count) {
    int kept = 0;
    for (int k = 0; k < count; ++k) {
        int twin = -1;
        for (int i = 0; i < kept && twin < 0; ++i) {
            bool same = true;
            const bool one = found[k].gap < ONE_ROOT && found[i].gap < ONE_ROOT && !found[k].family;
            const double near = one ? ONE_DOUBLE_POSTURE : SAME_POSTURE;
            for (int j = 0; j < N && same; ++j) {
                const double gap = found[k].q[j] - found[i].q[j];
                const bool turns = chain.joints[std::size_t(j)].kind == Kind::revolute;
                same = std::fabs(turns ? wrap(gap) : gap / scale) <= near;
            }
            if (same) twin = i;
        }
        if (twin < 0) {
            if (kept != k) found[kept] = found[k];
            ++kept;
            continue;
        }
        Posture& held = found[twin];
        const bool family = held.family || found[k].family;
        const int branch = held.branch;
        const bool better = found[k].inside != held.inside
                                ? found[k].inside
                                : found[k].errors.in_lengths(scale) < held.errors.in_lengths(scale);
        if (better) held = found[k];
        held.branch = branch, held.family = family, held.doubled = true;
    }
    return kept;
}

}  // namespace limbik::closed_form
