// Batches: any number of rows on any number of threads gives the bits of the single call.

#include "../../base/parallel.hpp"
#include "../support/mechanisms.hpp"

namespace limbik::test {
namespace {

inline void check_same(const std::vector<double>& a, const std::vector<double>& b, long rows, int threads,
                       const char* what) {
    HOLDS(a.size() == b.size(), what, rows, threads);
    for (std::size_t i = 0; i < a.size() && i < b.size(); ++i)
        HOLDS(same_bits(a[i], b[i]), what, rows, threads, std::uint64_t(i), a[i], b[i]);
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

inline void check_rows_of_batch(Random& random, const Kinematics& k, long rows,
                                std::initializer_list<int> thread_counts) {
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
    for (int threads : thread_counts) {
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

TEST_CASE("every count of rows, around whole registers of them") {
    constexpr int W = width<Wide>;
    Random random(FIXED);
    const int sizes[] = {1, 6, SMALL_CHAIN, SMALL_CHAIN + 1};  // the last one leaves the stack
    for (int joints : sizes) {
        const Kinematics k(random_chain(random, joints));
        for (long rows = 0; rows <= 3 * W + 1; ++rows) check_rows_of_batch(random, k, rows, {1, 2, 3, 8});
    }
    for (int elements : {0, 1, 7}) {
        const Kinematics k(random_tree(random, elements));
        for (long rows = 0; rows <= 3 * W + 1; ++rows) check_rows_of_batch(random, k, rows, {1, 2, 3, 8});
    }
}

LAW("a row of a batch is the single call", 4, [](std::uint64_t seed) {
    Random random(seed);
    const Kinematics k(random.chance(0.5) ? random_chain(random, random.integer(1, 20))
                                          : random_tree(random, random.integer(0, 10)));
    check_rows_of_batch(random, k, random.integer(0, 5 * width<Wide>), {random.integer(1, 4)});
});

TEST_SUITE_BEGIN("threads");

// Enough rows that the core would start threads by itself, and more threads than processors.
TEST_CASE("many rows on many threads") {
    Random random(FIXED);
    check_rows_of_batch(random, Kinematics(random_chain(random, 3)), 2 * ROWS_PER_THREAD + 5, {0, 1, 2, 3, 8});
    check_rows_of_batch(random, Kinematics(random_tree(random, 4)), 1001, {2, 3, 8, 1000});
}

LAW("a row of a batch on several threads is the single call", 20, [](std::uint64_t seed) {
    Random random(seed);
    const Kinematics k(random_tree(random, random.integer(1, 6)));
    check_rows_of_batch(random, k, random.integer(1, 200), {random.integer(2, 8)});
});

TEST_SUITE_END();

}  // namespace
}  // namespace limbik::test
