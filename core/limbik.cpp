// The facade of the core: checks what it is given, hands it to core/solve, and copies answers out.

#include "limbik.hpp"

#include <stdexcept>

#include "base/parallel.hpp"
#include "geometry/reach.hpp"
#include "solve/pose_solver.hpp"

namespace limbik::api {

namespace {

using namespace solve;

// As in Python's `model/reach.py`: sweeps of the shortest way, and what counts as reached.
constexpr int SWEEPS = 60;
constexpr double POSITION_TOLERANCE = 1e-8, RELATIVE_TOLERANCE = 1e-9;
// A bound beyond this is none [rad or m].
constexpr double FARTHEST_LIMIT = 1e9;
// Half of an arm's size stands for a radian.
constexpr double LENGTH_SHARE = 0.5;

[[noreturn]] void refuse(const std::string& why) { throw std::invalid_argument("limbik: " + why); }

Pose<double> pose_of(const Matrix& T, const char* what) {
    const auto pose = rigid(T.data());
    if (!pose) refuse(std::string(what) + " is not a rigid pose");
    return *pose;
}
Matrix matrix_of(const Pose<double>& T) {
    Matrix out;
    store_pose(T, 1, out.data(), 16);
    return out;
}

Pose<double> turned_about_x(double angle) {
    const double s = std::sin(angle), c = std::cos(angle);
    return {{1, 0, 0}, {0, c, s}, {0, -s, c}, {0, 0, 0}};
}
Pose<double> turned_about_z(double angle) {
    const double s = std::sin(angle), c = std::cos(angle);
    return {{c, s, 0}, {-s, c, 0}, {0, 0, 1}, {0, 0, 0}};
}
Pose<double> shifted(double x, double y, double z) { return {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {x, y, z}}; }

// A frame at a point whose z is the unit vector `axis`.
Pose<double> along(const Vector3<double>& axis, const Vector3<double>& point) {
    const double ax = std::fabs(axis.x), ay = std::fabs(axis.y), az = std::fabs(axis.z);
    const Vector3<double> helper = ax <= ay && ax <= az ? Vector3<double>{1, 0, 0}
                                   : ay <= az           ? Vector3<double>{0, 1, 0}
                                                        : Vector3<double>{0, 0, 1};
    const Vector3<double> first = cross(helper, axis);
    const Vector3<double> x = scaled(first, 1.0 / std::sqrt(dot(first, first)));
    return {x, cross(axis, x), axis, point};
}

// How far the tip gets: travel of slides and the shortest way over the axes, from the base's origin and from the best
// point on the first axis.
struct Bounds {
    double from_base, span;
    Vector3<double> centre;
    bool unbounded, slides;
};
Bounds bounds_of(const Mechanism& m, const std::vector<double>& lower, const std::vector<double>& upper, bool limits) {
    std::vector<WayPoint> way = {{{0, 0, 0}, {0, 0, 0}, false}};
    Pose<double> T = shifted(0, 0, 0);
    Bounds out{0.0, 0.0, {0, 0, 0}, false, false};
    double travel = 0.0;
    for (std::size_t i = 0; i < m.elements.size(); ++i) {
        const bool slides = m.elements[i].kind == Kind::prismatic;
        T = T * m.elements[i].mount;
        way.push_back({T.origin, T.z, !slides});
        if (!slides) continue;
        out.slides = true;
        out.unbounded = out.unbounded || !limits || !std::isfinite(lower[i]) || !std::isfinite(upper[i]);
        double farthest = 0.0;
        for (const double end : {lower[i], upper[i]})
            if (std::isfinite(end)) farthest = std::max(farthest, std::fabs(end));
        travel += farthest;
    }
    way.push_back({(T * m.frames[0].mount).origin, {0, 0, 1}, false});
    std::vector<WayPoint> from_axis(way.begin() + 1, way.end());
    out.from_base = travel + shortest_way(way.data(), int(way.size()), SWEEPS);
    out.span = travel + shortest_way(from_axis.data(), int(from_axis.size()), SWEEPS);
    out.centre = from_axis[0].point;
    return out;
}

Answer answer_of(const Outcome& out, std::vector<double> q) {
    return {Status(int(out.status)),
            std::move(q),
            out.errors.position,
            out.errors.rotation,
            out.branch,
            out.family,
            out.closed};
}

}  // namespace

const char* name_of(Status status) {
    switch (status) {
        case Status::solved: return "SOLVED";
        case Status::out_of_reach: return "OUT_OF_REACH";
        case Status::limits: return "LIMITS";
        case Status::not_found: return "NOT_FOUND";
    }
    return "unknown";
}

struct Chain::Model {
    Model(Mechanism m, std::vector<double> low, std::vector<double> high, const Options& options)
        : kinematics(std::move(m)), lower(std::move(low)), upper(std::move(high)) {
        const std::size_t n = lower.size();
        const double none = std::numeric_limits<double>::infinity();
        const Bounds bounds = bounds_of(kinematics.mechanism, lower, upper, options.limits);
        reach = bounds.from_base;
        Limits limits{lower, upper, std::vector<double>(n), std::vector<double>(n), {}};
        if (!options.limits) limits.lower.assign(n, -none), limits.upper.assign(n, none);
        for (std::size_t j = 0; j < n; ++j) {
            const double l = lower[j], u = upper[j];
            home.push_back(std::clamp(std::isfinite(l) && std::isfinite(u) ? 0.5 * (l + u) : 0.0, l, u));
            const bool slides = kinematics.mechanism.elements[j].kind == Kind::prismatic;
            const double span = slides ? (bounds.span > 0.0 ? bounds.span : 1.0) : PI;
            const bool bounded = std::fabs(l) < FARTHEST_LIMIT, capped = std::fabs(u) < FARTHEST_LIMIT;
            limits.draw_low[j] = bounded ? l : std::min(-span, capped ? u - span : -span);
            limits.draw_high[j] = capped ? u : std::max(span, limits.draw_low[j] + span);
        }
        const double position = options.position_tolerance > 0.0
                                    ? options.position_tolerance
                                    : std::max(POSITION_TOLERANCE, RELATIVE_TOLERANCE * bounds.from_base);
        const Tolerances tolerances = {position, options.rotation_tolerance};
        const double size = bounds.span > 0.0 ? bounds.span : 1.0;
        if (PoseSolver::in_lanes(kinematics))
            table.emplace(*kinematics.chain, limits.draw_low.data(), limits.draw_high.data());
        postures = std::make_unique<PostureSolver>(kinematics, 0, limits.lower, limits.upper, home, size, tolerances);
        completeness = postures->completeness();
        pose = std::make_unique<PoseSolver>(kinematics, 0, table ? &*table : nullptr, postures.get(), limits, home,
                                            bounds.span > 0.0 ? LENGTH_SHARE * bounds.span : 1.0, tolerances,
                                            options.attempts,
                                            Reach{bounds.centre, bounds.unbounded ? none : bounds.span, bounds.slides});
    }

    const double* seed_of(std::span<const double> seed) const {
        if (seed.empty()) return home.data();
        check(seed, "the seed");
        return seed.data();
    }
    void check(std::span<const double> q, const char* what) const {
        if (q.size() != home.size())
            refuse(std::string(what) + " has " + std::to_string(q.size()) + " numbers; the chain has " +
                   std::to_string(home.size()) + " joints");
        if (first_not_finite(q.data(), 1, long(q.size())) >= 0) refuse(std::string(what) + " is not finite");
    }

    Kinematics kinematics;
    std::vector<double> lower, upper, home;
    double reach = 0.0;
    std::optional<LazySeedTable> table;
    std::unique_ptr<PostureSolver> postures;
    std::shared_ptr<const Completeness> completeness;
    std::unique_ptr<PoseSolver> pose;
};

Chain Chain::made(std::vector<double> mounts, std::vector<int> kinds, const Matrix& T_last_tip,
                  std::vector<double> lower, std::vector<double> upper, const Options& options) {
    if (kinds.empty()) refuse("a chain has at least one joint");
    if (!(options.rotation_tolerance > 0.0) || !(options.position_tolerance >= 0.0) || options.attempts < 1)
        refuse("tolerances are positive, and there is at least one attempt");
    Mechanism m;
    m.n = int(kinds.size());
    for (int i = 0; i < m.n; ++i) {
        const double low = lower[std::size_t(i)], high = upper[std::size_t(i)];
        if (!(low <= high)) refuse("joint " + std::to_string(i + 1) + " has a lower limit above its upper one");
        for (int k = 0; k < 12; ++k)
            if (!std::isfinite(mounts[std::size_t(12 * i + k)]))
                refuse("joint " + std::to_string(i + 1) + " holds a number that is not finite");
        m.elements.push_back(
            {i - 1, Kind(kinds[std::size_t(i)]), i, 1.0, 0.0, false, pose_from_rows(&mounts[std::size_t(12 * i)])});
    }
    m.frames.push_back({m.n - 1, pose_of(T_last_tip, "the tip")});
    return Chain(std::make_shared<const Model>(std::move(m), std::move(lower), std::move(upper), options));
}

Chain Chain::from_dh(std::span<const DhRow> rows, Convention convention, const Options& options) {
    std::vector<double> mounts, lower, upper;
    std::vector<int> kinds;
    Pose<double> before = shifted(0, 0, 0);
    for (const DhRow& row : rows) {
        const Pose<double> turn = shifted(row.a, 0, 0) * turned_about_x(row.alpha);
        const Pose<double> on = turned_about_z(row.theta) * shifted(0, 0, row.d);
        const bool standard = convention == Convention::standard;
        const Matrix mount = matrix_of(standard ? before : before * (turn * on));
        before = standard ? on * turn : shifted(0, 0, 0);
        mounts.insert(mounts.end(), mount.begin(), mount.begin() + 12);
        kinds.push_back(int(row.motion == Motion::revolute ? Kind::revolute : Kind::prismatic));
        lower.push_back(row.lower), upper.push_back(row.upper);
    }
    return made(std::move(mounts), std::move(kinds), matrix_of(before), std::move(lower), std::move(upper), options);
}

Chain Chain::from_screws(std::span<const Screw> screws, const Matrix& T_base_tip, const Options& options) {
    std::vector<double> mounts, lower, upper;
    std::vector<int> kinds;
    Pose<double> here = shifted(0, 0, 0);
    for (const Screw& screw : screws) {
        const Vector3<double> given = {screw.axis[0], screw.axis[1], screw.axis[2]};
        const double length = std::sqrt(dot(given, given));
        if (!(length > 1e-9)) refuse("a screw has no axis");
        const bool turns = screw.motion == Motion::revolute;
        const Vector3<double> point =
            turns ? Vector3<double>{screw.point[0], screw.point[1], screw.point[2]} : here.origin;
        const Pose<double> next = along(scaled(given, 1.0 / length), point);
        const Matrix mount = matrix_of(inverse_pose(here) * next);
        here = next;
        mounts.insert(mounts.end(), mount.begin(), mount.begin() + 12);
        kinds.push_back(int(turns ? Kind::revolute : Kind::prismatic));
        lower.push_back(screw.lower), upper.push_back(screw.upper);
    }
    const Matrix last = matrix_of(inverse_pose(here) * pose_of(T_base_tip, "the tip"));
    return made(std::move(mounts), std::move(kinds), last, std::move(lower), std::move(upper), options);
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

Answer Chain::solve(const Matrix& target, std::span<const double> seed) const {
    Request request;
    const auto pose = rigid(target.data(), &request.doubt);
    if (!pose) refuse("the target is not a rigid pose");
    std::vector<double> q(model_->home.size());
    const Outcome out = model_->pose->solve(*pose, model_->seed_of(seed), request, Deadline(), q.data());
    return answer_of(out, std::move(q));
}

Answers Chain::solve_all(const Matrix& target, std::span<const double> seed) const {
    Answers out;
    if (!has_closed_form()) {
        Answer one = solve(target, seed);
        out.status = one.status;
        if (one) out.found.push_back(std::move(one));
        return out;
    }
    double doubt = 0.0;
    const auto pose = rigid(target.data(), &doubt);
    if (!pose) refuse("the target is not a rigid pose");
    const int n = this->n();
    Listing found;
    model_->postures->all(*pose, model_->seed_of(seed), std::nullopt, std::nullopt, doubt, found);
    out.status = Status(int(found.status)), out.complete = found.listed;
    const bool redundant = model_->postures->finder().redundancy() != Redundancy::none;
    std::vector<double> all;
    std::vector<bool> families;
    for (int k = 0; k < found.postures.count; ++k) {
        const Posture& p = found.postures.found[k];
        bool family = p.family || (redundant && !found.by_attempts);
        if (model_->completeness && !found.by_attempts)
            family = family || model_->completeness->isolation_of(p.q, *pose) == Isolation::self_motion;
        out.found.push_back({Status::solved, std::vector<double>(p.q, p.q + n), p.errors.position, p.errors.rotation,
                             p.branch, family, !found.by_attempts});
        all.insert(all.end(), p.q, p.q + n), families.push_back(family);
    }
    if (out.complete && !out.found.empty() && model_->completeness)
        out.complete = model_->completeness->complete(all.data(), families, *pose);
    return out;
}

std::vector<Answer> Chain::solve_batch(std::span<const Matrix> targets, std::span<const double> seed,
                                       int threads) const {
    const std::size_t n = model_->home.size(), count = targets.size();
    if (count == 0) return {};
    std::vector<double> clean(16 * count), doubts(count), q(n * count);
    for (std::size_t row = 0; row < count; ++row) {
        const auto pose = rigid(targets[row].data(), &doubts[row]);
        if (!pose) refuse("target " + std::to_string(row) + " is not a rigid pose");
        store_pose(*pose, 1, clean.data() + 16 * row, 16);
    }
    std::vector<Outcome> outcomes(count);
    const Rows rows = {clean.data(), model_->seed_of(seed), 0, q.data(), outcomes.data(), doubts.data()};
    const Request request;
    const std::atomic<bool> stop{false};
    model_->pose->prepare(request);
    const int share = threads > 0 ? threads : int(std::max(1u, std::thread::hardware_concurrency()));
    parallel_rows(long(count), width<Wide>, share, [&](long begin, long end) {
        if (begin < end) model_->pose->solve_rows(rows, begin, end, request, stop);
    });
    std::vector<Answer> out;
    out.reserve(count);
    for (std::size_t row = 0; row < count; ++row)
        out.push_back(
            answer_of(outcomes[row], std::vector<double>(q.begin() + long(n * row), q.begin() + long(n * (row + 1)))));
    return out;
}

}  // namespace limbik::api
