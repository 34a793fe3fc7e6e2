// All configurations of a chain in closed form: decomposed as a loop, with a swivel, or with one joint held.
#pragma once

#include "closed_form.hpp"
#include "swivel_finder.hpp"

namespace limbik::closed_form {

// The redundancy of a chain: none, the swivel of the elbow, or the value of one joint.
enum class Redundancy { none, swivel, joint };

class PostureFinder {
  public:
    PostureFinder(const Kinematics& k, int frame, double scale, const StepSettings& settings);

    bool exists() const { return form_ || swivel_; }
    Redundancy redundancy() const { return kind_; }
    int held() const { return held_; }
    const std::optional<ClosedForm>& form() const { return form_; }
    // Of a chain whose redundancy is a swivel.
    const SwivelFinder& swivel() const { return *swivel_; }
    int most() const { return swivel_ ? SWIVEL_BRANCHES : form_->most(); }

    // Every configuration at the seed's value of a held joint, or at the seed's swivel.
    void all(const Pose<double>& target, const double* seed, const BranchOptions& options, Postures& out) const {
        if (swivel_) return swivel_->at_swivel(target, seed, options, swivel_->seed_swivel(seed), out);
        if (kind_ == Redundancy::joint) return at_joint(target, seed, options, out);
        branches_->all(*form_, target, seed, options, out);
    }

    // After nothing was found inside the limits: prove that there is nothing, or else search by damped steps. Nothing
    // is proven for a chain with a held joint.
    void conclude(const Pose<double>& target, const double* seed, const BranchOptions& options, Postures& out) const {
        if (kind_ == Redundancy::none) branches_->conclude(*form_, target, seed, options, out);
        if (swivel_) swivel_->conclude(target, seed, options, out);
    }

    // Verify a configuration after it is normalised to the limits.
    bool accept(const double* q, const Pose<double>& target, const BranchOptions& options, Posture& out) const {
        return branches_->accept(q, target, options, out);
    }

    // For a chain with a held joint, after attempts found nothing: damped steps from those configurations at sampled
    // values of the joint that violate their limits least.
    bool search(const Pose<double>& target, const double* seed, const BranchOptions& options, Posture& out) const;

    // For a chain with a held joint: the configurations at the seed's value of the joint, and on each branch one in
    // every other feasible range of sampled values, at the value closest to the seed's.
    void sampled(const Pose<double>& target, const double* seed, const BranchOptions& options, Postures& out) const;

    // Rows of a batch, of chains without redundancy.
    void rows(const double* targets, const double* seeds, long seed_stride, long count, const BranchOptions& options,
              const BranchArrays& out, const std::atomic<bool>& stop) const {
        branches_->rows(*form_, targets, seeds, seed_stride, count, options, out, stop);
    }

  private:
    // A generic value of a held joint, without special cases.
    static constexpr double SOMEWHERE = 0.7316;
    // The number of sampled values of a held joint.
    static constexpr double SAMPLES = 64.0;

    static std::optional<Loop> chain_of(const Mechanism& m, const Frame& frame, double scale);

    ClosedForm at(double value, const Loop& pattern, int held, bool& fits) const;
    bool decomposes_elsewhere(const Loop& pattern, int held) const;
    void at_joint(const Pose<double>& target, const double* seed, const BranchOptions& options, Postures& out) const;

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
