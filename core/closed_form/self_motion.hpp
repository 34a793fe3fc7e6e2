// Whether a configuration of a non-redundant chain is isolated, or on a self-motion manifold.
//
// It is isolated where its Jacobian has full rank. Otherwise the joints may move along the null vector while the tip
// does not move to first order. A step h along it, corrected in the other directions, decides. On a self-motion
// manifold the pose is reached again. At a fold, where two configurations meet, the error is about h^2; the fold is one
// configuration, found to about 1e-8 rad. In a cluster, where more than two meet or which is nearly a self-motion
// manifold, the error is smaller; proof.hpp decides whether a list with a cluster is complete.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include "../iterative/levenberg_marquardt.hpp"
#include "isolation.hpp"

namespace limbik::closed_form {

// The part of the largest singular value below which a singular value is suspect, and below which corrections ignore
// it.
inline constexpr double SUSPECT_RANK = 1e-5, CORRECTED_RANK = 1e-3;
// A step along a null vector [rad or lengths]; the error below which it is on the pose [parts of the length, rad]; the
// least curvature of a fold, whose error is curvature times step squared.
inline constexpr double NULL_STEP = 0.05, ON_THE_POSE = 1e-12, LEAST_CURVATURE = 0.02;
inline constexpr int NULL_CORRECTIONS = 8;

// Singular value decomposition by one-sided Jacobi rotations: A V has orthogonal columns. N columns of 6 numbers.
template <int N> struct SmallSvd {
    double A[N][6], V[N][N], value[N];  // columns; values in falling order

    void decompose() {
        for (int i = 0; i < N; ++i)
            for (int j = 0; j < N; ++j) V[i][j] = i == j ? 1.0 : 0.0;
        constexpr int SWEEPS = 30;
        constexpr double ORTHOGONAL = 1e-15;
        for (int sweep = 0; sweep < SWEEPS; ++sweep) {
            bool rotated = false;
            for (int p = 0; p < N; ++p)
                for (int q = p + 1; q < N; ++q) {
                    double a = 0.0, b = 0.0, c = 0.0;
                    for (int k = 0; k < 6; ++k) a += A[p][k] * A[p][k], b += A[q][k] * A[q][k], c += A[p][k] * A[q][k];
                    if (std::fabs(c) <= ORTHOGONAL * std::sqrt(a * b) || c == 0.0) continue;
                    rotated = true;
                    const double z = (b - a) / (2.0 * c),
                                 t = (z >= 0.0 ? 1.0 : -1.0) / (std::fabs(z) + std::sqrt(1.0 + z * z));
                    const double cosine = 1.0 / std::sqrt(1.0 + t * t), sine = cosine * t;
                    auto rotate_columns = [&](double* x, double* y, int size) {
                        for (int k = 0; k < size; ++k) {
                            const double u = x[k], v = y[k];
                            x[k] = cosine * u - sine * v, y[k] = sine * u + cosine * v;
                        }
                    };
                    rotate_columns(A[p], A[q], 6), rotate_columns(V[p], V[q], N);
                }
            if (!rotated) break;
        }
        for (int i = 0; i < N; ++i) {
            value[i] = 0.0;
            for (int k = 0; k < 6; ++k) value[i] += A[i][k] * A[i][k];
            value[i] = std::sqrt(value[i]);
        }
        for (int i = 0; i < N; ++i)
            for (int j = i + 1; j < N; ++j)
                if (value[j] > value[i])
                    std::swap(value[i], value[j]), std::swap_ranges(A[i], A[i] + 6, A[j]),
                        std::swap_ranges(V[i], V[i] + N, V[j]);
    }
};

template <int N> class SelfMotion {
  public:
    static_assert(N <= 6, "with more joints every configuration has one");

    SelfMotion(const ScalarChain& chain, const ChainFrame& frame, double length)
        : chain_(chain), frame_(frame), length_(length) {}

    Isolation judge(const double* q, const Pose<double>& target) const {
        SmallSvd<N> svd;
        double e[6];
        linearise(q, target, svd, e);
        if (surely_regular(svd)) return Isolation::isolated;
        svd.decompose();
        const double suspect = SUSPECT_RANK * svd.value[0];
        if (svd.value[N - 1] > suspect) return Isolation::isolated;
        const bool several = N > 1 && svd.value[N >= 2 ? N - 2 : 0] <= suspect;
        bool cluster = several;
        for (int i = N - 1; i >= 0 && svd.value[i] <= suspect; --i)
            for (const double sign : {1.0, -1.0}) {
                const double off = after_step(q, svd.V[i], sign * NULL_STEP, target);
                if (off <= ON_THE_POSE)
                    return several ? Isolation::manifold : cluster ? Isolation::cluster : Isolation::self_motion;
                cluster = cluster || off < LEAST_CURVATURE * NULL_STEP * NULL_STEP;
            }
        return cluster ? Isolation::cluster : Isolation::isolated;
    }

  private:
    double unit(int j) const { return chain_.joints[std::size_t(j)].kind == Kind::prismatic ? length_ : 1.0; }

    // The Jacobian without units, by columns, and the residual.
    void linearise(const double* q, const Pose<double>& target, SmallSvd<N>& svd, double e[6]) const {
        Axis<double> axes[N];
        const Pose<double> T = forward_chain_noinline<true, double>(chain_, frame_, q, axes);
        double J[6][N];
        weighted_jacobian<N, 6, double>(chain_, axes, T.origin, length_, J);
        for (int i = 0; i < N; ++i)
            for (int k = 0; k < 6; ++k) svd.A[i][k] = J[k][i];
        const Residual<double> r = residual(T, target, length_);
        const double all[6] = {r.position.x, r.position.y, r.position.z, r.rotation.x, r.rotation.y, r.rotation.z};
        std::copy_n(all, 6, e);
    }

    // A quick test by Gram-Schmidt: each column keeps a fair part of its length.
    static bool surely_regular(const SmallSvd<N>& svd) {
        constexpr double FAIR = 1e-2;
        double B[N][6];
        for (int i = 0; i < N; ++i) {
            std::copy_n(svd.A[i], 6, B[i]);
            double before = 0.0, left = 0.0;
            for (int k = 0; k < 6; ++k) before += B[i][k] * B[i][k];
            for (int j = 0; j < i; ++j) {
                double along = 0.0;
                for (int k = 0; k < 6; ++k) along += B[j][k] * B[i][k];
                for (int k = 0; k < 6; ++k) B[i][k] -= along * B[j][k];
            }
            for (int k = 0; k < 6; ++k) left += B[i][k] * B[i][k];
            if (!(left > FAIR * FAIR * std::max(before, 1e-2))) return false;
            const double scale = 1.0 / std::sqrt(left);
            for (int k = 0; k < 6; ++k) B[i][k] *= scale;
        }
        return true;
    }

    // The error after a step along a null vector and corrections in the other directions; infinite where these lead
    // back.
    double after_step(const double* q, const double* null, double step, const Pose<double>& target) const {
        double x[N], off = 0.0;
        for (int j = 0; j < N; ++j) x[j] = q[j] + step * null[j] * unit(j);
        SmallSvd<N> svd;
        double e[6];
        for (int k = 0;; ++k) {
            linearise(x, target, svd, e);
            off = 0.0;
            for (int i = 0; i < 6; ++i) off += e[i] * e[i];
            if (k == NULL_CORRECTIONS) break;
            svd.decompose();
            for (int i = 0; i < N && svd.value[i] > CORRECTED_RANK * svd.value[0]; ++i) {
                double along = 0.0;
                for (int m = 0; m < 6; ++m) along += svd.A[i][m] * e[m];
                along /= svd.value[i] * svd.value[i];
                for (int j = 0; j < N; ++j) x[j] += along * svd.V[i][j] * unit(j);
            }
        }
        double moved = 0.0;
        for (int j = 0; j < N; ++j) moved += (x[j] - q[j]) / unit(j) * null[j];
        return std::fabs(moved) >= 0.5 * std::fabs(step) ? std::sqrt(off) : std::numeric_limits<double>::infinity();
    }

    const ScalarChain& chain_;
    const ChainFrame& frame_;
    double length_;
};

}  // namespace limbik::closed_form
