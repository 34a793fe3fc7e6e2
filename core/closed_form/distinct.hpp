// Which configurations of a target are kept: each once, and no near miss beside an exact one.
#pragma once

#include <algorithm>

#include "postures.hpp"

namespace limbik::closed_form {

// Beside a fold that the target just misses, a configuration may be within the tolerances without being a root. It is
// kept only where there is no exact one.
inline int without_near_misses(double scale, Posture* found, int count) {
    const auto exact = [&](const Posture& p) { return p.errors.within({NEARLY_EXACT * scale, NEARLY_EXACT}); };
    bool inside = false, any = false;
    for (int k = 0; k < count; ++k)
        any = any || exact(found[k]), inside = inside || (exact(found[k]) && found[k].inside);
    const auto is_near_miss = [&](const Posture& p) { return !exact(p) && !p.family && (p.inside ? inside : any); };
    return int(std::remove_if(found, found + count, is_near_miss) - found);
}

// Merge configurations that are the same by are_one(earlier, later): of two, one inside the limits stays, else the more
// exact one.
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

// Merge configurations with the same joint values.
inline int merged(const ScalarChain& chain, double scale, Posture* found, int count) {
    return joined(scale, found, count, [&](const Posture& a, const Posture& b) {
        const bool one = b.gap < ONE_ROOT && a.gap < ONE_ROOT && !b.family;
        const double near = one ? ONE_DOUBLE_POSTURE : SAME_POSTURE;
        for (std::size_t j = 0; j < chain.joints.size(); ++j) {
            const bool revolute = chain.joints[j].kind == Kind::revolute;
            if (!(std::fabs(joint_gap(revolute, b.q[j] - a.q[j], scale)) <= near)) return false;
        }
        return true;
    });
}

}  // namespace limbik::closed_form
