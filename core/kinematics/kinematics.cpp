// Rows of forward kinematics, compiled once.
#include "kinematics.hpp"

#include "../base/parallel.hpp"

namespace limbik::kinematics {

void forward_batch(const Kinematics& k, int frame, const double* q, long rows, int threads, double* T, double* J) {
    const int n = k.n();
    parallel_rows(rows, width<Wide>, threads, [&](long begin, long end) {
        Scratch<Wide> s(k, J != nullptr);
        for (long row = begin; row < end; row += width<Wide>) {
            const int count = int(std::min<long>(width<Wide>, end - row));
            load_rows(q + row * n, n, count, s.q.data());
            const Pose<Wide> pose = J ? row_jacobian(k, frame, s.q.data(), s.poses.data(), s.axes.data(), s.J.data())
                                      : row_forward(k, frame, s.q.data(), s.poses.data());
            if (T) store_pose(pose, count, T + row * 16, 16);
            if (J) store_rows(s.J.data(), 6 * n, count, J + row * 6 * n, 6 * n);
        }
    });
}

void forward_one(const Kinematics& k, int frame, const double* q, double* T, double* J) {
    if (k.chain && k.n() <= SMALL_CHAIN) {
        Axis<double> axes[SMALL_CHAIN];
        const ChainFrame& f = k.chain->frames[std::size_t(frame)];
        const Pose<double> pose = J ? forward_chain<true, double, false>(*k.chain, f, q, axes)
                                    : forward_chain<false, double, false>(*k.chain, f, q, axes);
        if (J) jacobian_chain(*k.chain, f, axes, pose.origin, J);
        if (T) store_pose(pose, 1, T, 16);
        return;
    }
    Scratch<double> s(k, false);
    const Pose<double> pose =
        J ? row_jacobian(k, frame, q, s.poses.data(), s.axes.data(), J) : row_forward(k, frame, q, s.poses.data());
    if (T) store_pose(pose, 1, T, 16);
}

void forward_all_batch(const Kinematics& k, const double* q, long rows, int threads, double* T) {
    const int n = k.n(), frames = k.frames();
    parallel_rows(rows, width<Wide>, threads, [&](long begin, long end) {
        Scratch<Wide> s(k, false);
        s.poses.resize(k.mechanism.elements.size());
        for (long row = begin; row < end; row += width<Wide>) {
            const int count = int(std::min<long>(width<Wide>, end - row));
            load_rows(q + row * n, n, count, s.q.data());
            forward_elements(k.mechanism, s.q.data(), s.poses.data());
            for (int f = 0; f < frames; ++f)
                store_pose(frame_pose(k.mechanism.frames[std::size_t(f)], s.poses.data()), count,
                           T + (row * frames + f) * 16, long(frames) * 16);
        }
    });
}

void pose_error_batch(const double* actual, long actual_stride, const double* target, long target_stride, long rows,
                      double* out) {
    auto pose = [](const double* from, long stride, long row, int count) {
        if (stride != 0) return load_pose<Wide>(from + row * 16, count);
        return load_pose<Wide>(from, 1);
    };
    for (long row = 0; row < rows; row += width<Wide>) {
        const int count = int(std::min<long>(width<Wide>, rows - row));
        Vector3<Wide> p, w;
        pose_error(pose(actual, actual_stride, row, count), pose(target, target_stride, row, count), p, w);
        const Wide values[6] = {p.x, p.y, p.z, w.x, w.y, w.z};
        store_rows(values, 6, count, out + row * 6, 6);
    }
}

void integrate_rows(const Mechanism& m, const double* q, const double* dq, long rows, double* out) {
    for (long row = 0; row < rows; ++row, q += m.n, dq += m.n, out += m.n)
        for (const Element& e : m.elements) integrate_joint(e.kind, q + e.first, dq + e.first, out + e.first);
}

void difference_rows(const Mechanism& m, const double* q0, const double* q1, long rows, double* out) {
    for (long row = 0; row < rows; ++row, q0 += m.n, q1 += m.n, out += m.n)
        for (const Element& e : m.elements)
            joint_difference(e.kind, e.wraps, q0 + e.first, q1 + e.first, out + e.first);
}

}  // namespace limbik::kinematics
