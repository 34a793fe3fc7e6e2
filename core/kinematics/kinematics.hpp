// Forward kinematics and Jacobians of one row or many, for any mechanism; the fast path (chain.hpp) for serial chains.
//
// A batch takes `width` rows at a time into the lanes. At the end spare lanes repeat the last row and are not stored. A
// single row is computed with plain doubles, to the same bits.
#pragma once

#include <optional>
#include <vector>

#include "../geometry/pose_error.hpp"
#include "chain.hpp"

namespace limbik::kinematics {

// Joints of a scalar chain up to which a row is computed on the stack.
inline constexpr int SMALL_CHAIN = 16;

struct Kinematics {
    Mechanism mechanism;
    std::optional<ScalarChain> chain;

    explicit Kinematics(Mechanism m) : mechanism(std::move(m)), chain(as_scalar_chain(mechanism)) {}

    int n() const { return mechanism.n; }
    int frames() const { return int(mechanism.frames.size()); }
};

// Working memory of one row (or one register full of rows), allocated once per call and thread.
template <class R> struct Scratch {
    std::vector<R> q, J;
    std::vector<Pose<R>> poses;
    std::vector<Axis<R>> axes;
    explicit Scratch(const Kinematics& k, bool with_jacobian)
        : q(std::size_t(k.n())), J(with_jacobian ? std::size_t(6 * k.n()) : 0),
          poses(k.chain ? 0 : k.mechanism.elements.size()), axes(k.chain ? std::size_t(k.n()) : 0) {}
};

template <class R> LIMBIK_INLINE Pose<R> row_forward(const Kinematics& k, int frame, const R* q, Pose<R>* poses) {
    if (k.chain) return forward_chain<false, R>(*k.chain, k.chain->frames[std::size_t(frame)], q, nullptr);
    forward_elements(k.mechanism, q, poses);
    return frame_pose(k.mechanism.frames[std::size_t(frame)], poses);
}

template <class R>
LIMBIK_INLINE Pose<R> row_jacobian(const Kinematics& k, int frame, const R* q, Pose<R>* poses, Axis<R>* axes, R* J) {
    if (k.chain) {
        const ChainFrame& f = k.chain->frames[std::size_t(frame)];
        const Pose<R> T = forward_chain<true, R>(*k.chain, f, q, axes);
        jacobian_chain(*k.chain, f, axes, T.origin, J);
        return T;
    }
    forward_elements(k.mechanism, q, poses);
    const Frame& f = k.mechanism.frames[std::size_t(frame)];
    jacobian_elements(k.mechanism, f, poses, J);
    return frame_pose(f, poses);
}

// ---- poses as rows -------------------------------------------------------------------------------------------------

template <class R> LIMBIK_INLINE void store_pose(const Pose<R>& T, int count, double* out, long stride) {
    const R zero = R(0.0);
    const R m[16] = {T.x.x, T.y.x, T.z.x, T.origin.x, T.x.y, T.y.y, T.z.y, T.origin.y,
                     T.x.z, T.y.z, T.z.z, T.origin.z, zero,  zero,  zero,  R(1.0)};
    store_rows(m, 16, count, out, stride);
}

template <class R> inline Pose<R> load_pose(const double* rows, int count) {
    R m[16];
    load_rows(rows, 16, count, m);
    return {{m[0], m[4], m[8]}, {m[1], m[5], m[9]}, {m[2], m[6], m[10]}, {m[3], m[7], m[11]}};
}

// Larger numbers (1.7e100) count as not finite: a product of three of them would overflow.
inline constexpr double TOO_LARGE = 0x1p333;
// The factor that takes them, and no others, to infinity; a power of two, so that nothing is rounded.
inline constexpr double TO_INFINITY = 0x1p1023 / TOO_LARGE * 2.0;

// The first row with a number that is not finite or TOO_LARGE, or -1. x * TO_INFINITY * 0 is NaN for these alone.
inline long first_not_finite(const double* values, long rows, long size) {
    constexpr int W = width<Wide>;
    const long total = rows * size;
    long k = 0;
    bool bad = false;
    if (total >= 4 * W) {  // a single row avoids wide registers: entering them costs more than its numbers
        Wide seen[4] = {Wide(0.0), Wide(0.0), Wide(0.0), Wide(0.0)};
        for (; k + 4 * W <= total; k += 4 * W)
            for (int j = 0; j < 4; ++j)
                seen[j] = madd(load_lanes<W>(values + k + j * W) * Wide(TO_INFINITY), Wide(0.0), seen[j]);
        bad = any(!finite((seen[0] + seen[1]) + (seen[2] + seen[3])));
    }
    for (; k < total; ++k) bad = bad || !finite(values[k] * TO_INFINITY);
    if (!bad) return -1;
    for (k = 0; k < total; ++k)
        if (!finite(values[k] * TO_INFINITY)) return k / size;
    return -1;
}

// ---- batches -------------------------------------------------------------------------------------------------------

// T: rows x 16 or null. J: rows x 6 x n or null.
void forward_batch(const Kinematics& k, int frame, const double* q, long rows, int threads, double* T, double* J);

// One row on the stack where the chain is small.
void forward_one(const Kinematics& k, int frame, const double* q, double* T, double* J);

// All frames of each row: rows x frames x 16.
void forward_all_batch(const Kinematics& k, const double* q, long rows, int threads, double* T);

// The pose error of each row (pose_error.hpp), 6 numbers: translation, rotation vector. A stride of 0 repeats a pose.
void pose_error_batch(const double* actual, long actual_stride, const double* target, long target_stride, long rows,
                      double* out);

// ---- moving along velocities ---------------------------------------------------------------------------------------

void integrate_rows(const Mechanism& m, const double* q, const double* dq, long rows, double* out);
void difference_rows(const Mechanism& m, const double* q0, const double* q1, long rows, double* out);

}  // namespace limbik::kinematics
