// All postures of a chain, however it comes apart: by a loop, by a swivel, or by a loop once one joint is held.
#pragma once

#include "branches.hpp"
#include "decomposition.hpp"
#include "swivel_finder.hpp"

namespace limbik::closed_form {

// What is left over when the hand stands still: nothing, the elbow's swing, or the value of one joint.
enum class Redundancy { none, swivel, joint };

class PostureFinder {
  public:
    PostureFinder(const Kinematics& k, int frame, double scale, const Effort& effort) : mechanism_(&k.mechanism) {
        if (!k.chain || k.n() > POSTURE_JOINTS) return;
        frame_ = k.mechanism.frames[std::size_t(frame)];
        scale_ = scale;
        std::optional<SwivelArm> arm;
        if (k.n() == POSTURE_JOINTS) {
            if (const auto loop = chain_of(k.mechanism, frame_, scale)) arm = SwivelArm::of(*loop);
            if (arm) kind_ = Redundancy::swivel;
            // the joint whose being held leaves the simplest form; the last rather than others, as it only moves the
            // tool
            for (int held = k.n() - 1; held >= 0 && kind_ == Redundancy::none; --held)
                if (const auto loop = loop_of(k.mechanism, frame_, scale, held, SOMEWHERE)) {
                    auto form = take_apart(*loop);
                    if (form && comes_apart_elsewhere(form->loop(), held))
                        form_ = form, held_ = held, kind_ = Redundancy::joint;
                }
        } else if (const auto loop = loop_of(k.mechanism, frame_, scale)) {
            form_ = take_apart(*loop);
        }
        if (form_ || arm) branches_ = make_branches(*k.chain, k.n(), frame, effort);
        if (arm) swivel_.emplace(*arm, *branches_, scale);
    }

    bool exists() const { return form_ || swivel_; }
    Redundancy redundancy() const { return kind_; }
    int held() const { return held_; }
    const std::optional<ClosedForm>& form() const { return form_; }
    // Of a chain whose redundancy is a swivel.
    const SwivelFinder& swivel() const { return *swivel_; }
    int most() const { return swivel_ ? SWIVEL_BRANCHES : form_->most(); }

    // Every posture; a held joint stands where the seed has it, an elbow where the seed's points.
    void all(const Pose<double>& target, const double* seed, const BranchOptions& options, Postures& out) const {
        if (swivel_) return swivel_->at_swivel(target, seed, options, swivel_->seed_swivel(seed), out);
        if (kind_ == Redundancy::joint) return at_joint(target, seed, options, out);
        branches_->all(*form_, target, seed, options, out);
    }

    // Nothing was found inside the limits: what is proven, or else what damped steps find. Of a held joint nothing is
    // proven.
    void conclude(const Pose<double>& target, const double* seed, const BranchOptions& options, Postures& out) const {
        if (kind_ == Redundancy::none) branches_->conclude(*form_, target, seed, options, out);
        if (swivel_) swivel_->conclude(target, seed, options, out);
    }

    // Is this posture one, once it is inside the limits?
    bool accept(const double* q, const Pose<double>& target, const BranchOptions& options, Posture& out) const {
        return branches_->accept(q, target, options, out);
    }

    // Of a chain with a held joint, where attempts found nothing: damped steps from the postures at sampled values of
    // it that pass their limits least.
    bool search(const Pose<double>& target, const double* seed, const BranchOptions& options, Posture& out) const {
        if (kind_ != Redundancy::joint) return false;
        const bool turns = mechanism_->elements[std::size_t(held_)].kind == Kind::revolute;
        const double most = turns ? PI : scale_;
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

    // Of a chain with a held joint: the postures at the seed's value of it, then, on each branch, one in every other
    // range of sampled values that are feasible, the value nearest the seed's.
    void sampled(const Pose<double>& target, const double* seed, const BranchOptions& options, Postures& out) const {
        double at[POSTURE_JOINTS];
        std::copy_n(seed, POSTURE_JOINTS, at);
        at[held_] = std::clamp(seed[held_], options.lower[held_], options.upper[held_]);
        const double wish = at[held_];
        all(target, at, options, out);
        double low = options.lower[held_], high = options.upper[held_];
        const bool turns = mechanism_->elements[std::size_t(held_)].kind == Kind::revolute;
        if (turns && !(high - low < TURN))
            low = std::max(low, wish - PI), high = std::min(low + TURN, options.upper[held_]);
        if (!turns) low = std::max(low, wish - scale_), high = std::min(high, wish + scale_);
        // upwards from the seed's value, then downwards: a range is entered at the value nearest the seed's
        Postures here;
        int total = out.count;
        const int outside = out.outside;
        for (const double end : {high, low}) {
            bool running[MOST_BRANCHES] = {};
            for (int k = 0; k < out.count; ++k) running[out.found[k].branch] = true;
            const int steps = int(std::ceil(SAMPLES * std::fabs(end - wish) / std::max(high - low, 1e-300)));
            for (int k = 1; k <= steps; ++k) {
                at[held_] = k == steps ? end : wish + (end - wish) * k / steps;
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

    // Rows of a batch; chains without a redundant joint only.
    void rows(const double* targets, const double* seeds, long seed_stride, long count, const BranchOptions& options,
              const Places& out, const std::atomic<bool>& stop) const {
        branches_->rows(*form_, targets, seeds, seed_stride, count, options, out, stop);
    }

  private:
    // A value for a held joint at which nothing is special, and others at which the same form must hold.
    static constexpr double SOMEWHERE = 0.7316;
    // Values of a held joint at which postures are looked for.
    static constexpr double SAMPLES = 64.0;

    static std::optional<Loop> chain_of(const Mechanism& m, const Frame& frame, double scale) {
        // seven joints: a loop with a place for each, not to be taken apart
        const int n = frame.element + 1;
        if (n != SWIVEL_JOINTS || m.n != n || int(m.elements.size()) != n) return std::nullopt;
        Loop loop;
        loop.scale = scale, loop.n = n, loop.tip = frame.mount;
        for (int i = 0; i < n; ++i) {
            const Element& e = m.elements[std::size_t(i)];
            if (e.kind != Kind::revolute || e.parent != i - 1 || e.first != i || e.scale != 1.0 || e.offset != 0.0)
                return std::nullopt;
            loop.joints[i] = {i, 1.0, true, e.mount, 0.0, 0.0};
        }
        return loop;
    }

    ClosedForm at(double value, const Loop& pattern, int held, bool& fits) const {
        auto loop = loop_of(*mechanism_, frame_, scale_, held, value);
        fits = loop && arrange(*loop, pattern.group, pattern.first, pattern.size);
        loop->order = pattern.order, loop->leading = pattern.leading;
        return ClosedForm(*loop);
    }
    bool comes_apart_elsewhere(const Loop& pattern, int held) const {
        for (const double value : {-2.113, 1.947, 0.0}) {
            bool fits;
            const ClosedForm form = at(value, pattern, held, fits);
            if (!fits || (value != 0.0 && !keeps_its_word(form))) return false;
        }
        return true;
    }
    void at_joint(const Pose<double>& target, const double* seed, const BranchOptions& options, Postures& out) const {
        bool fits;
        const ClosedForm form = at(seed[held_], form_->loop(), held_, fits);
        branches_->all(form, target, seed, options, out);
        if (seed[held_] >= options.lower[held_] && seed[held_] <= options.upper[held_]) return;
        out.outside += out.count, out.count = 0;
        for (int k = 0; k < out.outside; ++k) out.found[k].inside = false;
    }

    const Mechanism* mechanism_;
    Frame frame_{};
    double scale_ = 1.0;
    Redundancy kind_ = Redundancy::none;
    int held_ = -1;
    std::optional<ClosedForm> form_;
    std::unique_ptr<Branches> branches_;
    std::optional<SwivelFinder> swivel_;
};

}  // namespace limbik::closed_form
