// Batches: any number of rows on any number of threads gives the bits of the single call, inside its own memory.
#pragma once

#include "test_mechanisms.hpp"

namespace limbik::test {

inline void check_same(const std::vector<double>& a, const std::vector<double>& b, long rows, int threads,
                       const char* what) {
    CHECK(a.size() == b.size(), what, rows, threads);
    for (std::size_t i = 0; i < a.size() && i < b.size(); ++i)
        CHECK(same_bits(a[i], b[i]), what, rows, threads, std::uint64_t(i), a[i], b[i]);
}

inline std::vector<double> postures(Random& random, const Mechanism& m, long rows) {
    std::vector<double> q{};
    q.reserve(std::size_t(rows * m.n));
    for (long row = 0; row < rows; ++row) {
        const std::vector<double> one = random_posture(random, m);
        q.insert(q.end(), one.begin(), one.end());
    }
    return q;
}

inline void check_rows_of_batch(Random& random, const Kinematics& k, long rows, std::initializer_list<int> teams) {
    const int n = k.n(), frames = k.frames();
    const std::vector<double> q = postures(random, k.mechanism, rows);
    const int frame = random.integer(0, frames - 1);
    const std::size_t R = std::size_t(rows);
    std::vector<double> T1(R * 16), J1(R * std::size_t(6 * n)), all1(R * std::size_t(16 * frames));
    for (long row = 0; row < rows; ++row) {
        std::vector<double> T(16, NAN), J(std::size_t(6 * n), NAN), other(16, NAN);
        const double* one = q.data() + row * n;
        forward_one(k, frame, one, T.data(), J.data());
        std::copy(T.begin(), T.end(), T1.begin() + row * 16);
        std::copy(J.begin(), J.end(), J1.begin() + row * 6 * n);
        forward_one(k, frame, one, other.data(), nullptr);
        check_same(T, other, row, 1, "one row, without its Jacobian");
        std::vector<double> J_alone(std::size_t(6 * n), NAN);
        forward_one(k, frame, one, nullptr, J_alone.data());
        check_same(J, J_alone, row, 1, "one row, without its pose");
        std::vector<Pose<double>> poses = places<Pose<double>>(long(k.mechanism.elements.size()));
        forward_elements(k.mechanism, one, poses.data());
        for (int f = 0; f < frames; ++f)
            store_pose(frame_pose(k.mechanism.frames[std::size_t(f)], poses.data()), 1,
                       all1.data() + (row * frames + f) * 16, 16);
    }
    for (int threads : teams) {
        std::vector<double> T(R * 16, NAN), J(R * std::size_t(6 * n), NAN), all(all1.size(), NAN);
        forward_batch(k, frame, q.data(), rows, threads, T.data(), nullptr);
        check_same(T, T1, rows, threads, "poses");
        std::fill(T.begin(), T.end(), NAN);
        forward_batch(k, frame, q.data(), rows, threads, nullptr, J.data());
        check_same(J, J1, rows, threads, "Jacobians");
        std::fill(J.begin(), J.end(), NAN);
        forward_batch(k, frame, q.data(), rows, threads, T.data(), J.data());
        check_same(T, T1, rows, threads, "poses with Jacobians");
        check_same(J, J1, rows, threads, "Jacobians with poses");
        forward_all_batch(k, q.data(), rows, threads, all.data());
        check_same(all, all1, rows, threads, "all frames");
    }
}

// The pose error of many rows: the bits of one row alone, and what it says is true: it leads from actual to target.
inline void check_pose_errors(Random& random, long rows) {
    auto poses = [&](long count) {
        std::vector<double> T{};
        T.reserve(std::size_t(16 * count));
        for (long i = 0; i < count; ++i) {
            Rigid r{random_rotation(random), {}};
            for (Real& p : r.p) p = random.uniform(-1.0, 1.0);
            for (int a = 0; a < 3; ++a) {
                for (int b = 0; b < 3; ++b) T.push_back(double(r.R.m[a][b]));
                T.push_back(double(r.p[a]));
            }
            T.insert(T.end(), {0.0, 0.0, 0.0, 1.0});
        }
        return T;
    };
    for (int repeated : {0, 1, 2, 3}) {  // bit 0: one actual pose for all rows; bit 1: one target
        const long actual_stride = repeated & 1 ? 0 : 16, target_stride = repeated & 2 ? 0 : 16;
        const std::vector<double> actual = poses(actual_stride ? rows : 1), target = poses(target_stride ? rows : 1);
        std::vector<double> out(std::size_t(6 * rows), NAN);
        pose_error_batch(actual.data(), actual_stride, target.data(), target_stride, rows, out.data());
        for (long row = 0; row < rows; ++row) {
            const Pose<double> A = load_pose<double>(actual.data() + row * actual_stride, 1);
            const Pose<double> B = load_pose<double>(target.data() + row * target_stride, 1);
            Vector3<double> p, w;
            pose_error(A, B, p, w);
            const double one[6] = {p.x, p.y, p.z, w.x, w.y, w.z};
            for (int i = 0; i < 6; ++i)
                CHECK(same_bits(out[std::size_t(6 * row + i)], one[i]), rows, row, repeated, i, one[i]);
            const double lost = distance(from_vector(w.x, w.y, w.z) * rigid(A).R, rigid(B).R);
            CHECK(lost <= 2e-15, lost, w.x, w.y, w.z);
            CHECK(p.x == B.origin.x - A.origin.x && p.y == B.origin.y - A.origin.y && p.z == B.origin.z - A.origin.z);
        }
    }
}

inline void check_batches(std::uint64_t seed) {
    constexpr int W = width<Wide>;
    Random random(seed);
    const int sizes[] = {1, 6, SMALL_CHAIN, SMALL_CHAIN + 1};  // the last one leaves the stack
    for (int joints : sizes) {
        const Kinematics k(random_chain(random, joints));
        for (long rows = 0; rows <= 3 * W + 1; ++rows) check_rows_of_batch(random, k, rows, {1, 2, 3, 8});
    }
    for (int elements : {0, 1, 7}) {
        const Kinematics k(random_tree(random, elements));
        for (long rows = 0; rows <= 3 * W + 1; ++rows) check_rows_of_batch(random, k, rows, {1, 2, 3, 8});
    }
    for (long rows = 0; rows <= 3 * W + 1; ++rows) check_pose_errors(random, rows);
}

// Enough rows that the core would start threads by itself, and more threads than processors.
inline void check_threads(std::uint64_t seed) {
    Random random(seed);
    check_rows_of_batch(random, Kinematics(random_chain(random, 3)), 2 * ROWS_PER_THREAD + 5, {0, 1, 2, 3, 8});
    check_rows_of_batch(random, Kinematics(random_tree(random, 4)), 1001, {2, 3, 8, 1000});
    // Every row is in exactly one piece, and pieces begin where registers do.
    for (long rows : {0L, 1L, 7L, 8L, 9L, 63L, 64L, 65L, 1000L})
        for (long grain : {1L, 2L, 4L, 8L})
            for (int threads : {-1, 0, 1, 2, 3, 8, 1000}) {
                std::vector<int> seen(std::size_t(rows), 0);
                std::vector<char> uneven(std::size_t(rows) + 1, 0);
                parallel_rows(rows, grain, threads, [&](long begin, long end) {
                    if (begin < end && begin % grain != 0) uneven[std::size_t(begin)] = 1;
                    for (long row = begin; row < end; ++row) ++seen[std::size_t(row)];
                });
                for (long row = 0; row < rows; ++row) {
                    CHECK(seen[std::size_t(row)] == 1, rows, grain, threads, row, seen[std::size_t(row)]);
                    CHECK(uneven[std::size_t(row)] == 0, rows, grain, threads, row);
                }
            }
}

}  // namespace limbik::test
