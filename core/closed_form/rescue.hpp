// Postures that a closed form has nearly: brought inside the limits, then solved numerically.
//
// Where a proof is out of the question, a posture may still be there that rounding has hidden: on a fold, where joints
// stand at their limits, where an angle is held by nothing. What the closed form has, good or not, is near it. So its
// branches are put inside the limits and take damped steps there, side by side in the lanes; then branches from other
// seeds, whose free angles lie elsewhere.
#pragma once

#include "../base/random.hpp"
#include "near_misses.hpp"

namespace limbik::closed_form {

// Steps of each start, and how many between two looks.
inline constexpr int RESCUE_STEPS = 48, RESCUE_LOOK = 6;
// Seeds whose branches are tried: the caller's, then random ones.
inline constexpr int RESCUE_SEEDS = 6;
// The stream of random numbers for seeds.
inline constexpr std::uint64_t RESCUE_STREAM = 4000;
// A start that does not come this near will not arrive [squared residual].
inline constexpr double RESCUE_FAR = 1e-2;

// Postures that reach a target, or nearly, but not inside the limits: those that pass them least.
class Rescue {
  public:
    Rescue(const ScalarChain& chain, const ChainFrame& frame, const Effort& effort)
        : chain_(chain), frame_(frame), effort_(effort), n_(int(chain.joints.size())) {}

    // Is this posture one, once it is inside the limits?
    bool accept(const double* q, const Pose<double>& target, const double* seed, const BranchOptions& options,
                Posture& out) const {
        std::copy_n(q, n_, out.q);
        out.errors = verify_chain(chain_, frame_, options.lower, options.upper, seed, target, out.q);
        return out.errors.within(options.tolerances);
    }

    // Starts, n numbers each, become postures inside the limits; returns how many did. `which` tells the start of each.
    int descend(const double* starts, int count, const Pose<double>& target, const double* seed,
                const BranchOptions& options, Posture* found, int room, int* which) const {
        constexpr int W = width<Wide>;
        const Pose<Wide> wanted = broadcast<Wide>(target);
        int kept = 0;
        for (int first = 0; first < count; first += W) {
            double q[W * POSTURE_JOINTS];
            for (int i = 0; i < W; ++i)
                for (int j = 0; j < n_; ++j)
                    q[i * n_ + j] = normalised_joint(chain_, options.lower, options.upper,
                                                     starts[std::min(first + i, count - 1) * n_ + j], seed, j);
            Wide lanes[POSTURE_JOINTS];
            load_rows(q, n_, W, lanes);
            bool running[W], any = true;
            for (int i = 0; i < W; ++i) running[i] = first + i < count;
            for (int step = 0; step < RESCUE_STEPS && any; ++step) {
                const Residual<Wide> e =
                    damped_step(n_, chain_, frame_, effort_, options.lower, options.upper, wanted, lanes);
                if ((step + 1) % RESCUE_LOOK != 0) continue;
                any = false;
                for (int i = 0; i < W; ++i) {
                    if (!running[i]) continue;
                    const double squared = lane(e.squared, i);
                    const bool last = step + 1 == RESCUE_STEPS;
                    running[i] = !last && squared < (step + 1 >= RESCUE_STEPS / 2 ? RESCUE_FAR : 10.0);
                    if (squared < RESCUE_FAR && kept < room) {
                        double x[POSTURE_JOINTS];
                        for (int j = 0; j < n_; ++j) x[j] = lane(lanes[j], i);
                        Posture& p = found[kept];
                        if (accept(x, target, seed, options, p) && (last || is_exact(p))) {
                            which[kept++] = first + i;
                            running[i] = false;
                        }
                    }
                    any = any || running[i];
                }
            }
        }
        return kept;
    }

    // Another seed, inside the limits where there are some.
    void other_seed(int number, const BranchOptions& options, double scale, double* q) const {
        for (int j = 0; j < n_; ++j) {
            const double chance = counter_random(RESCUE_STREAM + std::uint64_t(j), std::uint64_t(number));
            const double most = chain_.joints[std::size_t(j)].kind == Kind::revolute ? PI : scale;
            const double low = std::max(options.lower[j], -most), high = std::min(options.upper[j], most);
            q[j] = low <= high ? low + chance * (high - low) : std::clamp(0.0, options.lower[j], options.upper[j]);
        }
    }

  private:
    bool is_exact(const Posture& p) const { return p.errors.within({FINE * effort_.length, FINE}); }

    const ScalarChain& chain_;
    const ChainFrame& frame_;
    Effort effort_;
    int n_;
};

}  // namespace limbik::closed_form
