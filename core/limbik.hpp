// limbik for C++: serial chains, forward kinematics, every configuration that reaches a pose.
//
//     #include <limbik/limbik.hpp>
//
//     namespace lk = limbik::api;
//     const auto arm = lk::Chain::from_dh({{0.0, 1.5707963267948966, 0.3, 0.0}, ...});
//     const lk::Answer answer = arm.solve(target);
//     if (answer) use(answer.q);
//
// Metres and radians. A pose is 16 numbers, row by row. What a target comes to is a status, never an exception; misuse
// (wrong sizes, numbers that are not finite, a pose that is not rigid) throws std::invalid_argument. A Chain does not
// change, may be copied cheaply, and may be used by any number of threads at once.
#pragma once

#include <array>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace limbik::api {

using Matrix = std::array<double, 16>;

// What is known of a target. Everything but `not_found` is evidence: `solved` was verified by forward kinematics inside
// the limits; `out_of_reach` and `limits` are proven.
enum class Status : int { solved = 0, out_of_reach = 1, limits = 2, not_found = 3 };
const char* name_of(Status status);

inline constexpr double UNLIMITED = std::numeric_limits<double>::infinity();

enum class Motion { revolute, prismatic };
enum class Convention { standard, modified };  // of Denavit and Hartenberg; modified is Craig's

struct DhRow {
    double a, alpha, d, theta;
    Motion motion = Motion::revolute;
    double lower = -UNLIMITED, upper = UNLIMITED;
};

// A joint's axis through a point, in the base frame at q = 0; of a prismatic joint the point does not matter.
struct Screw {
    std::array<double, 3> axis, point;
    Motion motion = Motion::revolute;
    double lower = -UNLIMITED, upper = UNLIMITED;
};

struct Options {
    bool limits = true;
    double position_tolerance = 0.0;   // [m]; 0 stands for max(1e-8, 1e-9 * reach)
    double rotation_tolerance = 1e-8;  // [rad]
    int attempts = 256;                // numeric starts before a target counts as not found
};

struct Answer {
    Status status = Status::not_found;
    std::vector<double> q;  // where it is not solved: the closest configuration that is known
    double position_error = 0.0, rotation_error = 0.0;
    int branch = -1;           // of the closed form
    bool family = false;       // a self-motion passes through it: others beside it reach the target too
    bool closed_form = false;  // found, or proven not to be, in closed form

    explicit operator bool() const { return status == Status::solved; }
};

// Every configuration of one target inside the limits. Of a redundant arm one of each branch and feasible range.
struct Answers {
    std::vector<Answer> found;
    Status status = Status::not_found;
    bool complete = false;  // proven: no other, or none off the self-motions that `family` marks
};

class Chain {
  public:
    static Chain from_dh(std::span<const DhRow> rows, Convention convention = Convention::standard,
                         const Options& options = {});
    static Chain from_dh(std::initializer_list<DhRow> rows, Convention convention = Convention::standard,
                         const Options& options = {}) {
        return from_dh(std::span<const DhRow>(rows.begin(), rows.size()), convention, options);
    }
    // T_base_tip at q = 0.
    static Chain from_screws(std::span<const Screw> screws, const Matrix& T_base_tip, const Options& options = {});

    int n() const;
    double reach() const;  // no pose of the tip is farther from the base's origin [m]
    bool has_closed_form() const;
    const std::vector<double>& lower() const;
    const std::vector<double>& upper() const;
    const std::vector<double>& home() const;  // the middle of each range, 0 where unlimited

    Matrix forward(std::span<const double> q) const;
    // 6 rows of n: three linear [m/rad or m/m], three angular; base frame, at the tip.
    std::vector<double> jacobian(std::span<const double> q) const;

    // The configuration closest to the seed where there is a closed form, else one that attempts find; an empty seed
    // is home.
    Answer solve(const Matrix& target, std::span<const double> seed = {}) const;
    Answers solve_all(const Matrix& target, std::span<const double> seed = {}) const;
    // Row by row what `solve` gives. 0 threads: as many as there are processors.
    std::vector<Answer> solve_batch(std::span<const Matrix> targets, std::span<const double> seed = {},
                                    int threads = 0) const;

  private:
    struct Model;
    explicit Chain(std::shared_ptr<const Model> model) : model_(std::move(model)) {}
    static Chain made(std::vector<double> mounts, std::vector<int> kinds, const Matrix& T_last_tip,
                      std::vector<double> lower, std::vector<double> upper, const Options& options);
    std::shared_ptr<const Model> model_;
};

}  // namespace limbik::api
