// Lengths of muscles on a mechanism, and their moment arms.
//
// A muscle runs straight from point to point, each fixed on a body, and around pulleys, where a joint value q takes up
// radius * q of it: L = rest + sum |b - a| + sum radius * q. Moment arms are the derivatives dL/dq. Of a straight piece
// only the joints count that move one of its ends and not the other; with u the unit vector from a to b they change its
// length by u . velocity of b, or by -u . velocity of a. A muscle that shortens as q grows has a negative moment arm.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "../base/parallel.hpp"
#include "../kinematics/kinematics.hpp"

namespace limbik::muscle {

struct MusclePoint {
    int element;         // the element to which the point is fixed; -1: the base
    Vector3<double> at;  // in the element's frame [m]
};

struct MusclePulley {
    int variable;   // an index in q
    double radius;  // length per unit of q [m/rad, or m/m]
};

// An element that moves one end of a piece and not the other.
struct MovingElement {
    int element;
    bool end;
};

struct MusclePiece {
    MusclePoint start, end;
    std::vector<MovingElement> movers;
};

struct Muscle {
    double rest = 0.0, lower = 0.0, upper = 0.0;
    std::vector<MusclePiece> pieces;
    std::vector<MusclePulley> pulleys;
};

using Muscles = std::vector<Muscle>;

inline MusclePiece make_piece(const Mechanism& m, const MusclePoint& start, const MusclePoint& end) {
    MusclePiece piece{start, end, {}};
    auto moves = [&](int body, int e) {
        for (; body >= 0; body = m.elements[std::size_t(body)].parent)
            if (body == e) return true;
        return false;
    };
    for (int e = 0; e < int(m.elements.size()); ++e) {
        const bool first = moves(start.element, e), second = moves(end.element, e);
        if (first != second) piece.movers.push_back({e, second});
    }
    return piece;
}

template <class R> LIMBIK_INLINE Vector3<R> point_of(const MusclePoint& point, const Pose<R>* poses) {
    if (point.element < 0) return {R(point.at.x), R(point.at.y), R(point.at.z)};
    return transform(poses[point.element], point.at);
}

// Add to the row G, times `sign`, the derivative of a piece of direction u whose end p an element moves.
template <class R> inline void add_moment_arm(const Mechanism& m, const Pose<R>* poses, int e, const Vector3<R>& p,
                                              const Vector3<R>& u, double sign, R* G) {
    const Element& element = m.elements[std::size_t(e)];
    const Pose<R>& T = poses[e];
    auto add = [&](int column, double scale, const Vector3<R>& velocity) {
        G[column] = madd(dot(u, velocity), R(sign * scale), G[column]);
    };
    int column = element.first;
    switch (element.kind) {
        case Kind::revolute: return add(column, element.scale, cross(T.z, p - T.origin));
        case Kind::prismatic: return add(column, element.scale, T.z);
        case Kind::floating: {
            const Pose<R> before = element.parent < 0 ? broadcast<R>(element.placement)
                                                      : poses[element.parent] * broadcast<R>(element.placement);
            add(column++, 1.0, before.x), add(column++, 1.0, before.y), add(column++, 1.0, before.z);
            [[fallthrough]];
        }
        case Kind::ball: {
            const Vector3<R> arm = p - T.origin;
            add(column++, 1.0, cross(T.x, arm)), add(column++, 1.0, cross(T.y, arm)), add(column, 1.0, cross(T.z, arm));
        }
    }
}

// Lengths, and with G (muscles x n) the moment arms; `poses`: of the elements at q.
template <class R>
inline void muscle_lengths(const Mechanism& m, const Muscles& muscles, const R* q, const Pose<R>* poses, R* L, R* G) {
    for (std::size_t k = 0; k < muscles.size(); ++k) {
        const Muscle& muscle = muscles[k];
        R* row = G ? G + long(k) * m.n : nullptr;
        if (row)
            for (int j = 0; j < m.n; ++j) row[j] = R(0.0);
        R length = R(muscle.rest);
        for (const MusclePiece& piece : muscle.pieces) {
            const Vector3<R> a = point_of(piece.start, poses), b = point_of(piece.end, poses), chord = b - a;
            const R distance = square_root(dot(chord, chord));
            length = length + distance;
            if (!row || piece.movers.empty()) continue;
            // a piece of length 0 has no direction
            const auto none = distance == R(0.0);
            const Vector3<R> u = scaled(chord, select(none, R(0.0), R(1.0) / select(none, R(1.0), distance)));
            for (const MovingElement& mover : piece.movers)
                add_moment_arm(m, poses, mover.element, mover.end ? b : a, u, mover.end ? 1.0 : -1.0, row);
        }
        for (const MusclePulley& pulley : muscle.pulleys) {
            length = madd(R(pulley.radius), q[pulley.variable], length);
            if (row) row[pulley.variable] = row[pulley.variable] + R(pulley.radius);
        }
        L[k] = length;
    }
}

// Rows of q: L rows x muscles and G rows x muscles x n; either may be null.
inline void muscle_batch(const Mechanism& m, const Muscles& muscles, const double* q, long rows, int threads, double* L,
                         double* G) {
    const int n = m.n, count = int(muscles.size());
    if (rows <= ROWS_PER_THREAD) threads = 1;  // asking for the number of cores takes longer than a row
    parallel_rows(rows, width<Wide>, threads, [&](long begin, long end) {
        auto work = [&]<class R>(R, long step) {
            const std::size_t wide = std::size_t(n), many = std::size_t(count);
            std::vector<R> own(wide), lengths(many), arms(G ? many * wide : 0);
            std::vector<Pose<R>> poses(m.elements.size());
            for (long row = begin; row < end; row += step) {
                const int used = int(std::min<long>(step, end - row));
                load_rows(q + row * n, n, used, own.data());
                forward_elements(m, own.data(), poses.data());
                muscle_lengths(m, muscles, own.data(), poses.data(), lengths.data(), G ? arms.data() : nullptr);
                if (L) store_rows(lengths.data(), count, used, L + row * count, count);
                if (G) store_rows(arms.data(), count * n, used, G + row * count * n, long(count) * n);
            }
        };
        if (end - begin == 1) work(0.0, 1);
        else work(Wide(0.0), width<Wide>);
    });
}

// The relative rounding error of a length at the end of its range.
constexpr double LENGTH_ROUNDING = 1e-12;

// The distance of a length from the middle of its range, relative to half the range: 1 at an end, more outside. 0
// inside a range without upper end.
inline double off_centre(const Muscle& muscle, double length) {
    const double half = 0.5 * (muscle.upper - muscle.lower),
                 off = std::fabs(length - 0.5 * (muscle.lower + muscle.upper)) / half;
    if (off <= 1.0) return off;
    const bool ends = std::isfinite(muscle.upper);
    const double size =
        std::max(std::fabs(muscle.lower), ends ? std::max(std::fabs(muscle.upper), muscle.upper - muscle.lower) : 0.0);
    const double room = LENGTH_ROUNDING * size;
    const bool inside = length >= muscle.lower - room && length <= muscle.upper + room;
    if (!ends) return inside ? 0.0 : 1.0 + (muscle.lower - length) / (std::fabs(muscle.lower) + std::fabs(length));
    if (half > 0.0) return inside ? 1.0 : std::max(1.0 + 1e-9, off);
    return inside ? 0.0 : HUGE_VAL;
}

}  // namespace limbik::muscle
