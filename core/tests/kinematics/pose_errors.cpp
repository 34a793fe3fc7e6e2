// The pose error of many rows has the bits of a single row, and leads from one pose to the other.

#include "../support/mechanisms.hpp"

namespace limbik::test {
namespace {

// The error leads from actual to target.
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
                HOLDS(same_bits(out[std::size_t(6 * row + i)], one[i]), rows, row, repeated, i, one[i]);
            const double lost = distance(from_vector(w.x, w.y, w.z) * rigid(A).R, rigid(B).R);
            HOLDS(lost <= 2e-15, lost, w.x, w.y, w.z);
            HOLDS(p.x == B.origin.x - A.origin.x && p.y == B.origin.y - A.origin.y && p.z == B.origin.z - A.origin.z);
        }
    }
}

TEST_CASE("the pose error of every count of rows, around whole registers of them") {
    Random random(FIXED);
    for (long rows = 0; rows <= 3 * width<Wide> + 1; ++rows) check_pose_errors(random, rows);
}
LAW("the pose error of a row leads from actual to target", 4, [](std::uint64_t seed) {
    Random random(seed);
    check_pose_errors(random, random.integer(0, 5 * width<Wide>));
});

}  // namespace
}  // namespace limbik::test
