// The configurations of an arm with a swivel.
#include "swivel_finder.hpp"

namespace limbik::closed_form {

void SwivelFinder::in_ranges(const Pose<double>& target, const double* seed, const BranchOptions& options,
                             double swivel, Postures& out) const {
    SwivelChoice choices[MOST_POSTURES];
    Ranges ranges;
    find_ranges(target, seed, options, ranges);
    const int count = choose(ranges, swivel, choices);
    if (count > 0) {
        at_choices(target, seed, options, choices, count, out);
        if (out.count < count) complete(target, seed, options, ranges, choices, out);
        out.open = out.open || out.count == 0 || ranges.may_have_more;
        return;
    }
    at_swivel(target, seed, options, swivel, out);
    out.open = out.open || ranges.may_have_more;
    if (out.count + out.outside > 0 || arm_.reaches_every_rotation()) return;
    double low[POSTURE_JOINTS], high[POSTURE_JOINTS];
    std::fill_n(high, POSTURE_JOINTS, std::numeric_limits<double>::infinity());
    std::transform(high, high + POSTURE_JOINTS, low, std::negate<>());
    BranchOptions free = options;
    free.lower = low, free.upper = high;
    find_ranges(target, seed, free, ranges);
    const int wide = choose(ranges, swivel, choices);
    if (wide == 0) return;
    at_choices(target, seed, free, choices, wide, out);
    out.outside += out.count, out.count = 0;
    for (int k = 0; k < out.outside; ++k) out.found[k].inside = false;
}

double SwivelFinder::seed_swivel(const double* q) const {
    Pose<double> T = identity_pose(), upper = identity_pose();
    const Loop& loop = arm_.loop();
    for (int i = 0; i < SWIVEL_JOINTS; ++i) {
        T = T * loop.joints[i].placement;
        rotate_about_z(T, std::sin(q[i]), std::cos(q[i]));
        if (i == 2) upper = T;
    }
    return arm_.swivel_of(upper, T * loop.tip, arm_.elbow_sign(q[3]));
}

void SwivelFinder::find_ranges(const Pose<double>& target, const double* seed, const BranchOptions& options,
                               Ranges& out) const {
    const SwivelRanges ranges(arm_, options.lower, options.upper);
    const SwivelRanges::Report report = ranges.find<MOST_ARCS>(target, out.arcs, out.counts);
    out.may_have_more = !report.whole;
    if (!report.doubtful) [[likely]]
        return;
    for (int b = 0; b < SWIVEL_BRANCHES; ++b)
        if (std::any_of(out.arcs[b], out.arcs[b] + out.counts[b], [](const Arc& arc) { return arc.doubtful; }))
            verify_arcs(ranges, target, seed, options, b, out);
}

void SwivelFinder::ranges_or_points(const Pose<double>& target, const double* seed, const BranchOptions& options,
                                    Ranges& out) const {
    find_ranges(target, seed, options, out);
    if (std::all_of(out.counts, out.counts + SWIVEL_BRANCHES, [](int count) { return count == 0; })) [[unlikely]]
        add_solved(target, seed, options, out);
}

int SwivelFinder::choose(const Ranges& ranges, double preferred, SwivelChoice* choices) {
    int total = 0;
    for (int b = 0; b < SWIVEL_BRANCHES; ++b)
        for (int k = 0; k < ranges.counts[b]; ++k) choices[total++] = {b, nearest_in(ranges.arcs[b][k], preferred)};
    return total;
}

double SwivelFinder::nearest_in(const Arc& arc, double preferred) {
    const double x = preferred - TURN * std::floor((preferred - arc.low) / TURN);  // in [low, low + 2 pi)
    if (x <= arc.high) return wrap(x);
    // the ends of an arc are feasible up to rounding: a little inside
    const double inset = std::min(INSET, 0.5 * (arc.high - arc.low));
    return wrap(x - arc.high <= arc.low + TURN - x ? arc.high - inset : arc.low + inset);
}

double SwivelFinder::slope_of(const double* q, int joint) const {
    if (joint == 3) return arm_.elbow_slope(q[3]);
    const Sinusoid<double>& tilt = (joint == 1 ? arm_.shoulder_group() : arm_.wrist_group()).tilt;
    return tilt.second * std::cos(q[joint]) - tilt.first * std::sin(q[joint]);
}

bool SwivelFinder::is_on_branch(const double* q, int branch) const {
    const int joint[3] = {5, 1, 3};
    for (int k = 0; k < 3; ++k) {
        const double slope = slope_of(q, joint[k]);
        if (std::fabs(slope) > EITHER_BRANCH && (slope > 0.0) != (branch >> k & 1)) return false;
    }
    return true;
}

bool SwivelFinder::find_verified(const SwivelRanges& ranges, const Pose<double>& target, const double* seed,
                                 const BranchOptions& options, const SwivelChoice& choice, Posture& out) const {
    Postures here;
    branches_->swivel_branches(arm_, target, seed, options, &choice, 1, here);
    const bool verified = here.count > 0;
    if (verified) {
        out = here.found[0];
        if (out.errors.within({NEARLY_EXACT * scale_, NEARLY_EXACT})) return true;
    }
    double starts[2][SWIVEL_JOINTS];
    const int count = ranges.starts(target, choice.branch, choice.swivel, seed, starts);
    for (int k = 0; k < count; ++k) {
        NearMisses one;
        one.add(starts[k], SWIVEL_JOINTS, 0.0);
        Posture p;
        if (!branches_->search_from(one, target, seed, options, p) || !is_on_branch(p.q, choice.branch)) continue;
        const double swivel = seed_swivel(p.q);
        if (std::fabs(wrap(swivel - choice.swivel)) > MOST_SHIFT) continue;
        p.branch = choice.branch, p.swivel = swivel, p.gap = 1.0, p.doubled = false;
        out = p;
        return true;
    }
    return verified;
}

void SwivelFinder::recheck_outside(const Pose<double>& target, const double* seed, const BranchOptions& options,
                                   Postures& out) const {
    const SwivelRanges ranges(arm_, options.lower, options.upper);
    for (int k = out.count; k < out.count + out.outside; ++k) {
        const Posture& p = out.found[k];
        double by = p.gap < NEARLY_DOUBLE ? 0.0 : ANY_LENGTH;
        for (int j = 0; j < SWIVEL_JOINTS; ++j)
            by = std::max(by, angle_outside(p.q[j], options.lower[j], options.upper[j]));
        Posture found;
        if (by > LIMIT_ROUNDING || !find_verified(ranges, target, seed, options, {p.branch, p.swivel}, found)) continue;
        found.swivel = p.swivel;
        std::swap(out.found[k], out.found[out.count]);
        out.found[out.count++] = found;
        --out.outside;
    }
    std::stable_sort(out.found, out.found + out.count,
                     [](const Posture& x, const Posture& y) { return x.branch < y.branch; });
}

void SwivelFinder::verify_arcs(const SwivelRanges& ranges, const Pose<double>& target, const double* seed,
                               const BranchOptions& options, int branch, Ranges& out) const {
    Arc* arcs = out.arcs[branch];
    Arc all[MOST_ARCS];
    int& kept = out.counts[branch];
    const int given = kept;
    std::copy_n(arcs, given, all);
    kept = 0;
    bool lost[MOST_ARCS] = {};
    Posture p;
    auto good = [&](double place) { return find_verified(ranges, target, seed, options, {branch, place}, p); };
    auto keep = [&](const Arc& arc, const Posture& held) {
        if (kept == MOST_ARCS) return void(out.may_have_more = true);
        if (arc.doubtful) out.verified[branch][kept] = held;
        arcs[kept++] = arc;
    };
    auto known = [&](double place) {
        return std::any_of(arcs, arcs + kept, [&](const Arc& arc) { return distance_to(arc, place) < SAME_POINT; });
    };
    for (int k = 0; k < given; ++k) {
        if (all[k].low == all[k].high) continue;
        lost[k] = all[k].doubtful && !good(0.5 * (all[k].low + all[k].high));
        if (!lost[k]) keep(all[k], p);
    }
    for (int k = 0; k < given; ++k) {
        const Arc& arc = all[k];
        if (arc.low == arc.high && !known(arc.low)) {
            if (!good(arc.low)) out.may_have_more = true;
            else if (!known(p.swivel)) keep({p.swivel, p.swivel, true}, p);
        }
        if (!lost[k]) continue;
        out.may_have_more = true;
        Arc part = {0.0, 0.0, true};
        Posture held;
        bool running = false;
        for (int i = 0; i <= PARTS; ++i) {
            const double place = arc.low + (arc.high - arc.low) * i / PARTS;
            const bool now = good(place) && !known(place);
            if (now && !running) part.low = place, held = p;
            if (now) part.high = place;
            if ((running && !now) || (now && i == PARTS)) keep(part, held);
            running = now;
        }
    }
}

void SwivelFinder::add_solved(const Pose<double>& target, const double* seed, const BranchOptions& options,
                              Ranges& out) const {
    Postures found;
    at_swivel(target, seed, options, seed_swivel(seed), found);
    if (found.count == 0) conclude(target, seed, options, found);
    for (int k = 0; k < found.count; ++k) {
        const double* q = found.found[k].q;
        const int branch = branch_of(q);
        int& count = out.counts[branch];
        if (count == MOST_ARCS) continue;
        const double swivel = seed_swivel(q);
        out.verified[branch][count] = found.found[k];
        out.arcs[branch][count++] = {swivel, swivel, true};
    }
}

void SwivelFinder::complete(const Pose<double>& target, const double* seed, const BranchOptions& options,
                            const Ranges& ranges, const SwivelChoice* choices, Postures& out) const {
    const SwivelRanges finder(arm_, options.lower, options.upper);
    int number = 0;
    for (int b = 0; b < SWIVEL_BRANCHES; ++b)
        for (int k = 0; k < ranges.counts[b]; ++k, ++number) {
            bool listed = false;
            for (int i = 0; i < out.count && !listed; ++i)
                listed = out.found[i].branch == b && out.found[i].swivel == choices[number].swivel;
            if (listed) continue;
            const Arc& arc = ranges.arcs[b][k];
            Posture p;
            if (arc.doubtful) p = ranges.verified[b][k];
            else if (!find_verified(finder, target, seed, options, choices[number], p) &&
                     !find_verified(finder, target, seed, options, {b, 0.5 * (arc.low + arc.high)}, p)) {
                out.open = true;
                continue;
            }
            for (int i = 0; i < out.count && !listed; ++i) listed = is_same(p.q, out.found[i].q);
            if (listed || out.count == MOST_POSTURES) continue;
            if (out.outside > 0) {
                if (out.count + out.outside < MOST_POSTURES) out.found[out.count + out.outside] = out.found[out.count];
                else --out.outside;
            }
            out.found[out.count++] = p;
        }
    std::stable_sort(out.found, out.found + out.count,
                     [](const Posture& x, const Posture& y) { return x.branch < y.branch; });
}

bool SwivelFinder::is_same(const double* a, const double* b) {
    for (int j = 0; j < SWIVEL_JOINTS; ++j)
        if (std::fabs(wrap(a[j] - b[j])) > SAME_POSTURE) return false;
    return true;
}

}  // namespace limbik::closed_form
