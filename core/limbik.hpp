// limbik for C++: serial chains, forward kinematics, every configuration that reaches a pose.
//
//     #include <limbik/limbik.hpp>
//
//     namespace lk = limbik::api;
//     const auto arm = lk::Chain::from_dh({{0.0, 1.5707963267948966, 0.3, 0.0}, ...});
//     const lk::Answer answer = arm.solve(target);
//     if (answer) use(answer.q);
//
// Lengths are in metres, angles in radians. A pose is 16 numbers, row by row. The outcome for a target is a status,
// never an exception. Misuse (wrong sizes, numbers that are not finite, a pose that is not rigid) throws
// std::invalid_argument. A Chain is immutable, cheap to copy, and safe to use from several threads at once.
#pragma once

#include <array>
#include <initializer_list>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace limbik::api {

// A 4x4 matrix, row by row: T[3], T[7] and T[11] are the position, T[12] to T[15] are 0 0 0 1.
using Matrix = std::array<double, 16>;

// Whether T is a rotation and a translation, to 1e-4. If it is, every call accepts it and uses the nearest exact
// rotation.
bool is_rigid(const Matrix& T);

// What is known of a target. Everything but `not_found` is evidence: `solved` was verified by forward kinematics inside
// the limits; `out_of_reach` and `limits` are proven.
enum class Status : int { solved = 0, out_of_reach = 1, limits = 2, not_found = 3 };
const char* name_of(Status status);  // "SOLVED", "OUT_OF_REACH", "LIMITS", "NOT_FOUND"

inline constexpr double UNLIMITED = std::numeric_limits<double>::infinity();

enum class Motion { revolute, prismatic };

// How Denavit-Hartenberg parameters make a link:
//   standard  Rz(theta) Tz(d) Tx(a) Rx(alpha), the joint first
//   modified  Tx(a) Rx(alpha) Rz(theta) Tz(d), the joint last (Craig)
enum class Convention { standard, modified };

// One joint. Its value q adds to theta [rad] where it is revolute, to d [m] where it is prismatic.
struct DhRow {
    double a, alpha, d, theta;
    Motion motion = Motion::revolute;
    double lower = -UNLIMITED, upper = UNLIMITED;  // of q
};

// One joint: its axis, of any length, through any point on it, in the base frame at q = 0. The point of a prismatic
// joint does not matter.
struct Screw {
    std::array<double, 3> axis, point;
    Motion motion = Motion::revolute;
    double lower = -UNLIMITED, upper = UNLIMITED;
};

struct Options {
    bool limits = true;                // false: answers may leave the joint limits
    double position_tolerance = 0.0;   // [m]; 0 stands for max(1e-8, 1e-9 * reach)
    double rotation_tolerance = 1e-8;  // [rad]
    int attempts = 256;                // numeric starts before a target counts as not found
};

struct Answer {
    Status status = Status::not_found;
    std::vector<double> q;                              // if not solved: the closest configuration that is known
    double position_error = 0.0, rotation_error = 0.0;  // of q [m, rad]
    int branch = -1;                                    // of the closed form; -1 for none
    bool family = false;       // on a self-motion manifold: neighbouring configurations reach the target too
    bool closed_form = false;  // found, or proven not to be, in closed form

    explicit operator bool() const { return status == Status::solved; }
};

// The configurations that reach one target inside the limits. With a closed form: all of them; for a redundant arm, one
// for each branch and feasible range. Without a closed form: those found from many starts, or a single one if the chain
// has more than six joints.
struct Answers {
    std::vector<Answer> found;
    Status status = Status::not_found;
    bool complete = false;  // proven: there is no other, except on the self-motion manifolds that `family` marks
};

class Chain {
  public:
    static Chain from_dh(std::span<const DhRow> rows, Convention convention = Convention::standard,
                         const Options& options = {});
    static Chain from_dh(std::initializer_list<DhRow> rows, Convention convention = Convention::standard,
                         const Options& options = {}) {
        return from_dh(std::span<const DhRow>(rows.begin(), rows.size()), convention, options);
    }
    // T_base_tip: the pose of the tip at q = 0.
    static Chain from_screws(std::span<const Screw> screws, const Matrix& T_base_tip, const Options& options = {});
    static Chain from_screws(std::initializer_list<Screw> screws, const Matrix& T_base_tip,
                             const Options& options = {}) {
        return from_screws(std::span<const Screw>(screws.begin(), screws.size()), T_base_tip, options);
    }

    // A move is a copy, so that no Chain is ever empty.
    Chain(const Chain&) = default;
    Chain& operator=(const Chain&) = default;

    int n() const;         // joints
    double reach() const;  // no pose of the tip is farther from the base's origin [m]
    bool has_closed_form() const;
    const std::vector<double>& lower() const;
    const std::vector<double>& upper() const;
    // The middle of each joint's range; for a joint without two limits, the value closest to 0 that its limits allow.
    const std::vector<double>& home() const;

    Matrix forward(std::span<const double> q) const;  // T_base_tip
    // 6 rows of n: three linear [m/rad or m/m], three angular; base frame, at the tip.
    std::vector<double> jacobian(std::span<const double> q) const;

    // With a closed form: the configuration closest to the seed. Without: one found by iteration. An empty seed means
    // home.
    Answer solve(const Matrix& target, std::span<const double> seed = {}) const;
    Answers solve_all(const Matrix& target, std::span<const double> seed = {}) const;
    // The answers of `solve`, row by row. threads = 0: chosen by the number of targets.
    std::vector<Answer> solve_batch(std::span<const Matrix> targets, std::span<const double> seed = {},
                                    int threads = 0) const;

  private:
    struct Model;
    explicit Chain(std::shared_ptr<const Model> model) : model_(std::move(model)) {}
    std::shared_ptr<const Model> model_;
};

}  // namespace limbik::api
