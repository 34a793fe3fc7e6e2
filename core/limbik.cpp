// The facade of the core: checks its arguments, calls core/solve, and copies the answers.

#include "limbik.hpp"

#include <stdexcept>
#include <string>

#include "base/parallel.hpp"
#include "solve/pose_solver.hpp"
#include "table/candidate_search.hpp"
#include "table/seed_candidates.hpp"

namespace limbik::api {

namespace {

using namespace solve;

static_assert(Options{}.rotation_tolerance == ROTATION_TOLERANCE && Options{}.attempts == ATTEMPTS);
static_assert(int(Status::solved) == int(iterative::Status::solved) &&
              int(Status::out_of_reach) == int(iterative::Status::out_of_reach) &&
              int(Status::limits) == int(iterative::Status::limits) &&
              int(Status::not_found) == int(iterative::Status::not_found));

// Rows of a batch that are worth a thread of their own.
constexpr long ROWS_WORTH_A_THREAD = 512;
// The most joints for which a pose has, in general, finitely many configurations.
constexpr int POSE_JOINTS = 6;
// An axis shorter than this has no direction.
constexpr double SHORTEST_AXIS = 1e-9;

constexpr Pose<double> IDENTITY = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}};

// ---- validation ----------------------------------------------------------------------------------------------------

[[noreturn]] void refuse(const std::string& why) { throw std::invalid_argument("limbik: " + why); }

[[noreturn]] void refuse_pose(const Matrix& T, const std::string& what) {
    if (first_not_finite(T.data(), 1, 16) >= 0)
        refuse(what + " holds NaN, infinity or a number too large to compute with");
    if (T[12] != 0.0 || T[13] != 0.0 || T[14] != 0.0 || T[15] != 1.0)
        refuse(what + " must end in the row 0 0 0 1; a Matrix is written row by row");
    refuse(what + " is not a rotation and a translation: is it scaled, or mirrored?");
}
Pose<double> pose_of(const Matrix& T, const std::string& what, double* doubt = nullptr) {
    const auto pose = rigid(T.data(), doubt);
    if (!pose) refuse_pose(T, what);
    return *pose;
}
void check_numbers(std::initializer_list<double> numbers, const std::string& what) {
    if (first_not_finite(numbers.begin(), 1, long(numbers.size())) >= 0)
        refuse(what + " holds NaN, infinity or a number too large to compute with");
}
void check_limits(double lower, double upper, const std::string& what) {
    if (std::isnan(lower) || std::isnan(upper)) refuse(what + " has a limit that is NaN; leave it out for no limit");
    if (lower > upper) refuse(what + " has a lower limit above its upper one");
    if (lower == UNLIMITED || upper == -UNLIMITED) refuse(what + " has limits that allow no value");
}
void check_options(const Options& options) {
    if (!(options.rotation_tolerance > 0.0) || !(options.position_tolerance >= 0.0))
        refuse("rotation_tolerance must be above 0, and position_tolerance must be 0 (for the default) or above");
    if (options.attempts < 1) refuse("there must be at least one attempt");
}

// ---- poses ---------------------------------------------------------------------------------------------------------

// Sine and cosine of an angle; the cosine of 90 degrees is exactly 0.
struct Angle {
    explicit Angle(double angle) : s(std::sin(angle)), c(1.0 - (1.0 - std::cos(angle))) {}
    double s, c;
};
Pose<double> rotation_about_x(Angle by) { return {{1, 0, 0}, {0, by.c, by.s}, {0, -by.s, by.c}, {0, 0, 0}}; }
Pose<double> rotation_about_z(Angle by) { return {{by.c, by.s, 0}, {-by.s, by.c, 0}, {0, 0, 1}, {0, 0, 0}}; }
Pose<double> translation(const Vector3<double>& by) { return {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, by}; }

// A frame whose z axis is the unit vector a; exact where a is an axis of the base.
Pose<double> with_z(const Vector3<double>& a) {
    if (a.x == 0.0 && a.y == 0.0) return {{1, 0, 0}, {0, a.z, 0}, {0, 0, a.z}, {0, 0, 0}};
    if (a.y == 0.0 && a.z == 0.0) return {{0, a.x, 0}, {0, 0, 1}, {a.x, 0, 0}, {0, 0, 0}};
    if (a.x == 0.0 && a.z == 0.0) return {{0, 0, 1}, {a.y, 0, 0}, {0, a.y, 0}, {0, 0, 0}};
    const double x = std::fabs(a.x), y = std::fabs(a.y), z = std::fabs(a.z);
    const Vector3<double> helper = x <= y && x <= z ? IDENTITY.x : y <= z ? IDENTITY.y : IDENTITY.z;
    const Vector3<double> across = cross(helper, a), first = scaled(across, 1.0 / std::sqrt(dot(across, across)));
    return {first, cross(a, first), a, {0, 0, 0}};
}

// ---- answers -------------------------------------------------------------------------------------------------------

Answer answer_of(const Outcome& out, std::vector<double> q, bool family) {
    return {Status(int(out.status)),
            std::move(q),
            out.errors.position,
            out.errors.rotation,
            out.branch,
            family,
            out.closed};
}
Answer answer_of(const Posture& p, int n, bool family, bool closed) {
    return {Status::solved, std::vector<double>(p.q, p.q + n), p.errors.position, p.errors.rotation, p.branch, family,
            closed};
}

}  // namespace

bool is_rigid(const Matrix& T) { return rigid(T.data()).has_value(); }

const char* name_of(Status status) {
    switch (status) {
        case Status::solved: return "SOLVED";
        case Status::out_of_reach: return "OUT_OF_REACH";
        case Status::limits: return "LIMITS";
        case Status::not_found: return "NOT_FOUND";
    }
    return "unknown";
}

// ---- a chain -------------------------------------------------------------------------------------------------------

struct Chain::Model {
    Model(Mechanism m, std::vector<double> low, std::vector<double> high, const Options& options)
        : kinematics(std::move(m)), lower(std::move(low)), upper(std::move(high)) {
        const std::size_t n = lower.size();
        const Mechanism& mechanism = kinematics.mechanism;
        const Reach bounds = reach_of(mechanism, mechanism.frames[0], lower.data(), upper.data());
        reach = bounds.from_base;
        home = home_of(lower, upper, {});
        Limits limits{lower, upper, std::vector<double>(n), std::vector<double>(n), {}};
        if (!options.limits) limits.lower.assign(n, -UNLIMITED), limits.upper.assign(n, UNLIMITED);
        for (std::size_t j = 0; j < n; ++j) {
            const double span = mechanism.elements[j].kind == Kind::prismatic ? bounds.size() : PI;
            const DrawRange range = draw_range(lower[j], upper[j], span);
            limits.draw_low[j] = range.low, limits.draw_high[j] = range.high;
        }
        const Tolerances tolerances = {
            options.position_tolerance > 0.0 ? options.position_tolerance : position_tolerance(reach),
            options.rotation_tolerance};
        if (PoseSolver::in_lanes(kinematics))
            table.emplace(*kinematics.chain, limits.draw_low.data(), limits.draw_high.data());
        postures =
            std::make_unique<PostureSolver>(kinematics, 0, limits.lower, limits.upper, home, bounds.size(), tolerances);
        completeness = postures->completeness();
        self_motion.emplace(kinematics, 0, bounds.size());
        pose = std::make_unique<PoseSolver>(kinematics, 0, table ? &*table : nullptr, postures.get(), limits, home,
                                            tolerances, options.attempts, bounds);
        if (postures->exists() || int(n) > POSE_JOINTS) return;
        const ChainFrame& tip = kinematics.chain->frames[0];
        reduction.emplace(*kinematics.chain, tip, bounds.size());
        starts.emplace(*reduction, *table, limits.draw_low, limits.draw_high);
        search.emplace(*starts, *kinematics.chain, tip, bounds.size());
    }

    // The equations of a closed form do not detect every self-motion, and attempts detect none.
    bool family(const Outcome& out, const double* q) const {
        return out.family || (out.status == iterative::Status::solved && self_motion->passes(q));
    }
    bool family(const Posture& p) const { return p.family || self_motion->passes(p.q); }
    const double* seed_of(std::span<const double> seed) const {
        if (seed.empty()) return home.data();
        check(seed, "the seed");
        return seed.data();
    }
    void check(std::span<const double> q, const char* what) const {
        if (q.size() != home.size())
            refuse(std::string(what) + " has " + std::to_string(q.size()) + " numbers; the chain has " +
                   std::to_string(home.size()) + " joints");
        if (first_not_finite(q.data(), 1, long(q.size())) >= 0)
            refuse(std::string(what) + " holds NaN, infinity or a number too large to compute with");
    }

    Kinematics kinematics;
    std::vector<double> lower, upper, home;
    double reach = 0.0;
    std::optional<LazySeedTable> table;
    std::unique_ptr<PostureSolver> postures;
    std::shared_ptr<const Completeness> completeness;
    std::unique_ptr<PoseSolver> pose;
    std::optional<SelfMotionTest> self_motion;
    // Without a closed form, for at most POSE_JOINTS joints: all configurations, from many starts.
    std::optional<Reduction> reduction;
    std::optional<SeedCandidates> starts;
    std::optional<CandidateSearch> search;
};

namespace {

// A chain under construction, joint by joint.
struct Parts {
    Mechanism mechanism;
    std::vector<double> lower, upper;

    void add(Motion motion, const Pose<double>& placement, double low, double high) {
        const Kind kind = motion == Motion::revolute ? Kind::revolute : Kind::prismatic;
        mechanism.elements.push_back({mechanism.n - 1, kind, mechanism.n, 1.0, 0.0, false, placement});
        ++mechanism.n, lower.push_back(low), upper.push_back(high);
    }
    void end(const Pose<double>& T_last_tip) { mechanism.frames.push_back({mechanism.n - 1, T_last_tip}); }
};

}  // namespace

Chain Chain::from_dh(std::span<const DhRow> rows, Convention convention, const Options& options) {
    check_options(options);
    if (rows.empty()) refuse("there are no rows; a chain has at least one joint");
    Parts parts;
    Pose<double> before = IDENTITY;
    for (const DhRow& row : rows) {
        const std::string what = "row " + std::to_string(parts.mechanism.n + 1);
        check_numbers({row.a, row.alpha, row.d, row.theta}, what);
        check_limits(row.lower, row.upper, what);
        const Pose<double> along_x = translation({row.a, 0, 0}) * rotation_about_x(Angle(row.alpha));
        const Pose<double> along_z = rotation_about_z(Angle(row.theta)) * translation({0, 0, row.d});
        const bool standard = convention == Convention::standard;
        parts.add(row.motion, standard ? before : along_x * along_z, row.lower, row.upper);
        if (standard) before = along_z * along_x;
    }
    parts.end(before);
    return Chain(std::make_shared<const Model>(std::move(parts.mechanism), std::move(parts.lower),
                                               std::move(parts.upper), options));
}

Chain Chain::from_screws(std::span<const Screw> screws, const Matrix& T_base_tip, const Options& options) {
    check_options(options);
    if (screws.empty()) refuse("there are no screws; a chain has at least one joint");
    Parts parts;
    Pose<double> T_joint_here = IDENTITY;  // from the previous joint's frame to one at `here`, oriented like the base
    Vector3<double> here = {0, 0, 0};
    for (const Screw& screw : screws) {
        const std::string what = "screw " + std::to_string(parts.mechanism.n + 1);
        const auto [x, y, z] = screw.axis;
        check_numbers({x, y, z, screw.point[0], screw.point[1], screw.point[2]}, what);
        check_limits(screw.lower, screw.upper, what);
        const double length = std::sqrt(x * x + y * y + z * z);
        if (length < SHORTEST_AXIS) refuse(what + " has no axis: its length is 0");
        const Vector3<double> axis = {x / length, y / length, z / length};
        // the point of the axis that is nearest to the base's origin; any other point gives the same chain
        const Vector3<double> given = {screw.point[0], screw.point[1], screw.point[2]};
        const Vector3<double> point = screw.motion == Motion::revolute ? cross(axis, cross(given, axis)) : here;
        const Pose<double> frame = with_z(axis);
        parts.add(screw.motion, product_in_order(product_in_order(T_joint_here, translation(point - here)), frame),
                  screw.lower, screw.upper);
        T_joint_here = inverse_pose(frame), here = point;
    }
    parts.end(product_in_order(T_joint_here, product_in_order(translation(-here), pose_of(T_base_tip, "T_base_tip"))));
    return Chain(std::make_shared<const Model>(std::move(parts.mechanism), std::move(parts.lower),
                                               std::move(parts.upper), options));
}

int Chain::n() const { return int(model_->home.size()); }
double Chain::reach() const { return model_->reach; }
bool Chain::has_closed_form() const { return model_->postures->exists(); }
const std::vector<double>& Chain::lower() const { return model_->lower; }
const std::vector<double>& Chain::upper() const { return model_->upper; }
const std::vector<double>& Chain::home() const { return model_->home; }

Matrix Chain::forward(std::span<const double> q) const {
    model_->check(q, "q");
    Matrix out;
    forward_one(model_->kinematics, 0, q.data(), out.data(), nullptr);
    return out;
}

std::vector<double> Chain::jacobian(std::span<const double> q) const {
    model_->check(q, "q");
    std::vector<double> out(6 * q.size());
    forward_one(model_->kinematics, 0, q.data(), nullptr, out.data());
    return out;
}

// ---- inverse kinematics --------------------------------------------------------------------------------------------

Answer Chain::solve(const Matrix& target, std::span<const double> seed) const {
    Request request;
    const Pose<double> T = pose_of(target, "the target", &request.doubt);
    std::vector<double> q(model_->home.size());
    const Outcome out = model_->pose->solve(T, model_->seed_of(seed), request, Deadline(), q.data());
    const bool family = model_->family(out, q.data());
    return answer_of(out, std::move(q), family);
}

Answers Chain::solve_all(const Matrix& target, std::span<const double> seed) const {
    double doubt = 0.0;
    const Pose<double> T = pose_of(target, "the target", &doubt);
    const double* start = model_->seed_of(seed);
    const int n = this->n();
    Answers out;
    if (!has_closed_form()) {
        Postures found;
        if (model_->search) model_->search->all(T, start, model_->postures->options(), found);
        for (int k = 0; k < found.count; ++k)
            out.found.push_back(answer_of(found.found[k], n, model_->family(found.found[k]), false));
        out.status = Status::solved;
        if (!out.found.empty()) return out;
        Answer one = solve(target, seed);
        out.status = one.status;
        if (one) out.found.push_back(std::move(one));
        return out;
    }
    Listing found;
    model_->postures->all(T, start, std::nullopt, std::nullopt, doubt, found);
    out.status = Status(int(found.status)), out.complete = found.listed;
    std::vector<double> all;
    std::vector<bool> families;
    for (int k = 0; k < found.postures.count; ++k) {
        const Posture& p = found.postures.found[k];
        const bool family = model_->family(p);
        out.found.push_back(answer_of(p, n, family, !found.by_attempts));
        all.insert(all.end(), p.q, p.q + n), families.push_back(family);
    }
    if (out.complete && !out.found.empty() && model_->completeness)
        out.complete = model_->completeness->complete(all.data(), families, T);
    return out;
}

std::vector<Answer> Chain::solve_batch(std::span<const Matrix> targets, std::span<const double> seed,
                                       int threads) const {
    const std::size_t n = model_->home.size(), count = targets.size();
    const double* start = model_->seed_of(seed);
    std::vector<double> clean(16 * count), doubts(count), q(n * count);
    for (std::size_t row = 0; row < count; ++row) {
        const auto T = rigid(targets[row].data(), &doubts[row]);
        if (!T) refuse_pose(targets[row], "target " + std::to_string(row));
        store_pose(*T, 1, clean.data() + 16 * row, 16);
    }
    if (count == 0) return {};
    std::vector<Outcome> outcomes(count);
    const Rows rows = {clean.data(), start, 0, q.data(), outcomes.data(), doubts.data()};
    const Request request;
    const std::atomic<bool> stop{false};
    model_->pose->prepare(request);
    const long most = long(std::max(1u, std::thread::hardware_concurrency()));
    const long thread_count = threads > 0 ? threads : std::clamp(long(count) / ROWS_WORTH_A_THREAD, 1L, most);
    parallel_rows(long(count), width<Wide>, int(thread_count), [&](long begin, long end) {
        if (begin < end) model_->pose->solve_rows(rows, begin, end, request, stop);
    });
    std::vector<Answer> out;
    out.reserve(count);
    for (std::size_t row = 0; row < count; ++row) {
        const double* own = q.data() + n * row;
        const bool family = model_->family(outcomes[row], own);
        out.push_back(answer_of(outcomes[row], std::vector<double>(own, own + n), family));
    }
    return out;
}

}  // namespace limbik::api
