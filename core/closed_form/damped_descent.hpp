// Damped steps from the branches of a closed form, normalised to the limits.
//
// Where nothing is proven, a configuration may exist that rounding has hidden: on a fold, at joint limits, where an
// angle is undetermined. The branches of the closed form, verified or not, are close to it. They are clamped to the
// limits and take damped steps, side by side in the lanes; then branches from other seeds, with other values of
// undetermined angles.
#pragma once

#include "../base/random.hpp"
#include "near_misses.hpp"

namespace limbik::closed_form {

// The steps of each start, and how many between two checks.
inline constexpr int SEARCH_STEPS = 48, SEARCH_INTERVAL = 6;
// How many seeds are tried: the caller's, then random ones.
inline constexpr int SEARCH_SEEDS = 6;
// The stream of random numbers of seeds.
inline constexpr std::uint64_t SEARCH_STREAM = 4000;
// The squared residual above which a start is given up after half of the steps.
inline constexpr double SEARCH_FAR = 1e-2;

// Damped steps of a chain towards verified configurations inside the limits.
class DampedDescent {
  public:
    DampedDescent(const ScalarChain& chain, const ChainFrame& frame, const StepSettings& settings)
        : chain_(chain), frame_(frame), settings_(settings), n_(int(chain.joints.size())) {}

    // Verify a configuration after it is normalised to the limits.
    bool accept(const double* q, const Pose<double>& target, const double* seed, const BranchOptions& options,
                Posture& out) const {
        std::copy_n(q, n_, out.q);
        out.errors = verify_chain(chain_, frame_, options.lower, options.upper, seed, target, out.q);
        return out.errors.within(options.tolerances);
    }

    // Damped steps from `count` starts of n numbers. Returns how many configurations were found, at most `room`;
    // `which` is the start of each.
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
            for (int step = 0; step < SEARCH_STEPS && any; ++step) {
                const Residual<Wide> e =
                    damped_step(n_, chain_, frame_, settings_, options.lower, options.upper, wanted, lanes);
                if ((step + 1) % SEARCH_INTERVAL != 0) continue;
                any = false;
                for (int i = 0; i < W; ++i) {
                    if (!running[i]) continue;
                    const double squared = lane(e.squared, i);
                    const bool last = step + 1 == SEARCH_STEPS;
                    running[i] = !last && squared < (step + 1 >= SEARCH_STEPS / 2 ? SEARCH_FAR : 10.0);
                    if (squared < SEARCH_FAR && kept < room) {
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
            const double chance = counter_random(SEARCH_STREAM + std::uint64_t(j), std::uint64_t(number));
            const double most = chain_.joints[std::size_t(j)].kind == Kind::revolute ? PI : scale;
            const double low = std::max(options.lower[j], -most), high = std::min(options.upper[j], most);
            q[j] = low <= high ? low + chance * (high - low) : std::clamp(0.0, options.lower[j], options.upper[j]);
        }
    }

  private:
    bool is_exact(const Posture& p) const { return p.errors.within({FINE * settings_.length, FINE}); }

    const ScalarChain& chain_;
    const ChainFrame& frame_;
    StepSettings settings_;
    int n_;
};

}  // namespace limbik::closed_form
