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

// Postures that are one by are_one(earlier, later) are joined: the more exact one stays, inside the limits if either
// is.
template <class AreOne> int joined(double scale, Posture* found, int count, const AreOne& are_one) {
    int kept = 0;
    for (int k = 0; k < count; ++k) {
        int twin = -1;
        for (int i = 0; i < kept && twin < 0; ++i)
            if (are_one(found[i], found[k])) twin = i;
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

// Those whose joints are the same are one.
inline int merged(const ScalarChain& chain, double scale, Posture* found, int count) {
    return joined(scale, found, count, [&](const Posture& a, const Posture& b) {
        const bool one = b.gap < ONE_ROOT && a.gap < ONE_ROOT && !b.family;
        const double near = one ? ONE_DOUBLE_POSTURE : SAME_POSTURE;
        for (std::size_t j = 0; j < chain.joints.size(); ++j) {
            const bool turns = chain.joints[j].kind == Kind::revolute;
            if (!(std::fabs(joint_gap(turns, b.q[j] - a.q[j], scale)) <= near)) return false;
        }
        return true;
    });
}

}  // namespace limbik::closed_form
