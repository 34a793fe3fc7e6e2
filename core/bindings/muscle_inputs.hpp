// Muscles, lengths and targets from Python, every number checked.
#pragma once

#include "kernel.hpp"
#include "limits.hpp"
#include "targets.hpp"

#include "../muscle/muscle_goal.hpp"
#include "../muscle/muscles.hpp"
#include "../muscle/shoulder_elbow.hpp"

namespace limbik::bindings {

// points: (frame, x, y, z) flat; pulleys: (variable, radius) flat.
inline Muscle made_muscle(const Mechanism& m, const Numbers& points, const Numbers& pulleys, double rest, double least,
                          double most) {
    Muscle muscle;
    muscle.rest = rest, muscle.lower = least, muscle.upper = most;
    std::vector<MusclePoint> path;
    for (std::size_t i = 0; i + 3 < points.size(); i += 4) {
        const int frame = int(points[i]);
        if (frame < 0 || frame >= int(m.frames.size()))
            raise("BadModel", "a muscle is fixed to a frame that does not exist");
        const Frame& f = m.frames[std::size_t(frame)];
        path.push_back({f.element, transform(f.placement, Point{points[i + 1], points[i + 2], points[i + 3]})});
    }
    for (std::size_t i = 0; i + 1 < path.size(); ++i) muscle.pieces.push_back(make_piece(m, path[i], path[i + 1]));
    for (std::size_t i = 0; i + 1 < pulleys.size(); i += 2) {
        const int variable = int(pulleys[i]);
        if (variable < 0 || variable >= m.n) raise("BadModel", "a pulley is on a joint that does not exist");
        muscle.pulleys.push_back({variable, pulleys[i + 1]});
    }
    return muscle;
}

// One row of `size` finite numbers; with `gaps`, NaN stands for a missing one.
inline Input muscle_row(nb::handle given, int size, const char* what, bool gaps = false) {
    Input in(given, what);
    if (in.ndim() != 1 || in.dims()[0] != size)
        raise("ShapeError", std::string(what) + " must have shape (" + std::to_string(size) + ",); got " + in.shape());
    for (int i = 0; i < size; ++i)
        if (!(std::fabs(in.data()[i]) < TOO_LARGE) && !(gaps && std::isnan(in.data()[i])))
            raise("NotFinite", std::string(what) + " holds NaN, infinity or a number too large to compute with");
    return in;
}
inline Input muscle_rows(nb::handle given, int size, const char* what) {
    Input in(given, what);
    if (in.ndim() < 1 || in.ndim() > 2 || in.dims()[in.ndim() - 1] != size)
        raise("ShapeError",
              std::string(what) + " must have shape (N, " + std::to_string(size) + "); got " + in.shape());
    const long bad = first_not_finite(in.data(), in.ndim() > 1 ? in.dims()[0] : 1, size);
    if (bad >= 0) raise("NotFinite", std::string(what) + " holds NaN, infinity or a number too large to compute with");
    return in;
}

// A point (3,), a pose (4, 4) or an orientation (3, 3).
inline MuscleGoal muscle_goal(nb::handle target) {
    const Input in(target, "the target");
    MuscleGoal goal;
    if (in.ndim() == 1 && in.dims()[0] == 3) {
        const Input p = muscle_row(target, 3, "the point");
        goal.target.origin = {p.data()[0], p.data()[1], p.data()[2]};
        return goal;
    }
    const bool orientation = in.ndim() == 2 && in.dims()[0] == 3 && in.dims()[1] == 3;
    if (!orientation && (in.ndim() != 2 || in.dims()[0] != 4 || in.dims()[1] != 4))
        raise("ShapeError", "a target is a point (3,), a pose (4, 4) or an orientation (3, 3); got " + in.shape());
    double m[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
    for (int i = 0; i < (orientation ? 3 : 4); ++i)
        for (int j = 0; j < (orientation ? 3 : 4); ++j) m[4 * i + j] = in.data()[i * (orientation ? 3 : 4) + j];
    const std::optional<Pose<double>> T = rigid(m);
    if (!T) raise("NotRigid", "the target is not a rotation" + std::string(orientation ? "" : " and a translation"));
    goal.with_position = !orientation, goal.with_rotation = true, goal.target = *T;
    return goal;
}

}  // namespace limbik::bindings
