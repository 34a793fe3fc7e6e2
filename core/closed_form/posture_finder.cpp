// The decomposition of chains, and searches over a held joint.
#include "posture_finder.hpp"

#include "decomposition.hpp"

namespace limbik::closed_form {

PostureFinder::PostureFinder(const Kinematics& k, int frame, double scale, const StepSettings& settings)
    : mechanism_(&k.mechanism) {
    if (!k.chain || k.n() > POSTURE_JOINTS) return;
    frame_ = k.mechanism.frames[std::size_t(frame)];
    scale_ = scale;
    std::optional<SwivelArm> arm;
    if (k.n() == POSTURE_JOINTS) {
        if (const auto loop = chain_of(k.mechanism, frame_, scale)) arm = SwivelArm::of(*loop);
        if (arm) kind_ = Redundancy::swivel;
        // hold the joint that leaves the simplest form; the last one first, since it moves the tool alone
        for (int held = k.n() - 1; held >= 0 && kind_ == Redundancy::none; --held)
            if (const auto loop = loop_of(k.mechanism, frame_, scale, held, SOMEWHERE)) {
                auto form = decompose(*loop);
                if (form && decomposes_elsewhere(form->loop(), held))
                    form_ = form, held_ = held, kind_ = Redundancy::joint;
            }
    } else if (const auto loop = loop_of(k.mechanism, frame_, scale)) {
        form_ = decompose(*loop);
    }
    if (form_ || arm) branches_ = make_branches(*k.chain, k.n(), frame, settings);
    if (arm) swivel_.emplace(*arm, *branches_, scale);
}

bool PostureFinder::search(const Pose<double>& target, const double* seed, const BranchOptions& options,
                           Posture& out) const {
    if (kind_ != Redundancy::joint) return false;
    const bool revolute = mechanism_->elements[std::size_t(held_)].kind == Kind::revolute;
    const double most = revolute ? PI : scale_;
    const double low = std::max(options.lower[held_], -most), high = std::min(options.upper[held_], most);
    NearMisses misses;
    double at_value[POSTURE_JOINTS];
    std::copy_n(seed, POSTURE_JOINTS, at_value);
    for (int k = 0; k <= int(SAMPLES); ++k) {
        at_value[held_] = low + (high - low) * k / SAMPLES;
        bool fits;
        const ClosedForm form = at(at_value[held_], form_->loop(), held_, fits);
        if (fits) branches_->collect_misses(form, target, at_value, options, misses);
    }
    return misses.count > 0 && branches_->search_from(misses, target, seed, options, out);
}

void PostureFinder::sampled(const Pose<double>& target, const double* seed, const BranchOptions& options,
                            Postures& out) const {
    double at[POSTURE_JOINTS];
    std::copy_n(seed, POSTURE_JOINTS, at);
    at[held_] = std::clamp(seed[held_], options.lower[held_], options.upper[held_]);
    const double preferred = at[held_];
    all(target, at, options, out);
    double low = options.lower[held_], high = options.upper[held_];
    const bool revolute = mechanism_->elements[std::size_t(held_)].kind == Kind::revolute;
    if (revolute && !(high - low < TURN))
        low = std::max(low, preferred - PI), high = std::min(low + TURN, options.upper[held_]);
    if (!revolute) low = std::max(low, preferred - scale_), high = std::min(high, preferred + scale_);
    // upwards from the seed's value, then downwards: a range is entered at the value closest to the seed's
    Postures here;
    int total = out.count;
    const int outside = out.outside;
    for (const double end : {high, low}) {
        bool running[MOST_BRANCHES] = {};
        for (int k = 0; k < out.count; ++k) running[out.found[k].branch] = true;
        const int steps = int(std::ceil(SAMPLES * std::fabs(end - preferred) / std::max(high - low, 1e-300)));
        for (int k = 1; k <= steps; ++k) {
            at[held_] = k == steps ? end : preferred + (end - preferred) * k / steps;
            all(target, at, options, here);
            bool now[MOST_BRANCHES] = {};
            for (int i = 0; i < here.count; ++i) {
                const int branch = here.found[i].branch;
                now[branch] = true;
                if (!running[branch] && total < MOST_POSTURES) out.found[total++] = here.found[i];
            }
            std::copy_n(now, MOST_BRANCHES, running);
        }
    }
    out.count = total, out.outside = total > 0 ? 0 : outside, out.open = true, out.proof = Proof::nothing;
}

std::optional<Loop> PostureFinder::chain_of(const Mechanism& m, const Frame& frame, double scale) {
    // seven joints: a loop that is not decomposed
    const int n = frame.element + 1;
    if (n != SWIVEL_JOINTS || m.n != n || int(m.elements.size()) != n) return std::nullopt;
    Loop loop;
    loop.scale = scale, loop.n = n, loop.tip = frame.placement;
    for (int i = 0; i < n; ++i) {
        const Element& e = m.elements[std::size_t(i)];
        if (e.kind != Kind::revolute || e.parent != i - 1 || e.first != i || e.scale != 1.0 || e.offset != 0.0)
            return std::nullopt;
        loop.joints[i] = {i, 1.0, true, e.placement, 0.0, 0.0};
    }
    return loop;
}

ClosedForm PostureFinder::at(double value, const Loop& pattern, int held, bool& fits) const {
    auto loop = loop_of(*mechanism_, frame_, scale_, held, value);
    fits = loop && arrange(*loop, pattern.group, pattern.first, pattern.size);
    loop->order = pattern.order, loop->leading = pattern.leading;
    return ClosedForm(*loop);
}

bool PostureFinder::decomposes_elsewhere(const Loop& pattern, int held) const {
    for (const double value : {-2.113, 1.947, 0.0}) {
        bool fits;
        const ClosedForm form = at(value, pattern, held, fits);
        if (!fits || (value != 0.0 && !reproduces_trials(form))) return false;
    }
    return true;
}

void PostureFinder::at_joint(const Pose<double>& target, const double* seed, const BranchOptions& options,
                             Postures& out) const {
    bool fits;
    const ClosedForm form = at(seed[held_], form_->loop(), held_, fits);
    branches_->all(form, target, seed, options, out);
    if (seed[held_] >= options.lower[held_] && seed[held_] <= options.upper[held_]) return;
    out.outside += out.count, out.count = 0;
    for (int k = 0; k < out.outside; ++k) out.found[k].inside = false;
}

}  // namespace limbik::closed_form
