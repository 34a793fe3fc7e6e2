// The mean of multiple computations (MMC) over points: segments keep their lengths, clamped points approach their
// targets.
//
// Where every vector between two of the n + 1 points is the mean of all its sums over a third point, the network's
// vectors reduce to the points themselves: a cycle moves each point by a share of the corrections of its segments and
// clamps,
//     p_i <- p_i + step * (sum over segments and clamps at i of: desired vector - present vector),
// step = 1/(n + 1) in the network, more with over-relaxation. It costs O(n), in any dimension and for any tree.
//
// A segment's desired vector is its length times its direction, clamped to the joint's range. Ranges are applied from
// the root outward, each against the corrected segment before, so that the corrected segments form a posture
// (configuration) that keeps every length and range exactly; the distance of its clamped points from their targets is
// the error.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "segment_frame.hpp"

namespace limbik::relaxation {

class PointNetwork {
  public:
    // segments[i] ends at point i + 1; parents come first. clamped: the points with targets. planar: everything stays
    // in z = 0, also directions that are undefined.
    PointNetwork(std::vector<Segment> segments, std::vector<int> clamped, bool planar)
        : segments_(std::move(segments)), clamped_(std::move(clamped)), planar_(planar) {
        bool hinged = false, bent = false;
        for (std::size_t i = 0; i < segments_.size(); ++i) {
            Segment& segment = segments_[i];
            segment.prepare();
            const Vector3<double> before =
                segment.parent ? segments_[std::size_t(segment.parent) - 1].rest : segment.rest;
            bent = bent || segment.rest.x != before.x || segment.rest.y != before.y || segment.rest.z != before.z;
            hinged = hinged || segment.joint == SegmentJoint::hinge;
            coned_ = coned_ || segment.joint == SegmentJoint::cone || segment.pull > 0.0;
            variable_ = variable_ || segment.shortest != segment.longest;
        }
        framed_ = hinged || (bent && coned_);
        choose_axes();
    }

    int points() const { return int(segments_.size()) + 1; }
    int clamps() const { return int(clamped_.size()); }
    bool framed() const { return framed_; }
    bool planar() const { return planar_; }
    const std::vector<Segment>& segments() const { return segments_; }
    const std::vector<int>& clamped() const { return clamped_; }
    const std::vector<SegmentConstants>& constants() const { return constants_; }

    struct Buffers {
        std::vector<Vector3<double>> vector, posture, correction, direction;
        std::vector<double> far, inverse;
        std::vector<Rotation3> frame;
        void make(std::size_t n, bool framed) {
            vector.resize(n), posture.resize(n + 1), correction.resize(n + 1), direction.resize(n);
            if (framed) frame.resize(n + 1), far.resize(n), inverse.resize(n);
        }
    };

    // Correct the segments: buffers.vector is the desired vector of each, buffers.posture the posture they form. pull:
    // a factor of all pulls. Returns the largest distance of a clamped point from its target.
    double correct(const Vector3<double>* p, const Vector3<double>* target, double pull, Buffers& buffers) const {
        const std::size_t n = segments_.size();
        buffers.posture[0] = p[0];
        if (framed_) {
            apply_ranges<false>(p, pull, buffers);
        } else if (coned_) {
            for (std::size_t i = 0; i < n; ++i) apply_cone(i, p, pull, buffers);
        } else {
            for (std::size_t i = 0; i < n; ++i) {
                const Segment& segment = segments_[i];
                const Vector3<double> v = p[i + 1] - p[segment.parent];
                const double square = dot(v, v);
                double wanted = segment.longest;
                if (variable_) wanted = std::min(std::max(std::sqrt(square), segment.shortest), segment.longest);
                const double least = NO_DIRECTION * segment.longest;
                buffers.vector[i] =
                    square > least * least ? scaled(v, wanted / std::sqrt(square)) : scaled(segment.rest, wanted);
                buffers.posture[i + 1] = buffers.posture[std::size_t(segment.parent)] + buffers.vector[i];
            }
        }
        double worst = 0.0;
        for (std::size_t k = 0; k < clamped_.size(); ++k) {
            const Vector3<double> residual = buffers.posture[std::size_t(clamped_[k])] - target[k];
            worst = std::max(worst, dot(residual, residual));
        }
        return std::sqrt(worst);
    }

    // The frames of all segments of a posture: buffers.frame.
    void frames(const Vector3<double>* p, Buffers& buffers) const {
        buffers.posture[0] = p[0];
        buffers.frame[0] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        apply_ranges<true>(p, 0.0, buffers);
    }

    // Move the points by the corrections that `correct` computed. Point 0 stays.
    void move(Vector3<double>* p, const Vector3<double>* target, const double* step, const std::vector<Region>& regions,
              const std::vector<double>& radius, Buffers& buffers) const {
        const std::size_t n = segments_.size();
        for (auto& correction : buffers.correction) correction = {0, 0, 0};
        for (std::size_t i = 0; i < n; ++i) {
            const std::size_t parent = std::size_t(segments_[i].parent);
            const Vector3<double> c = buffers.vector[i] - (p[i + 1] - p[parent]);
            buffers.correction[i + 1] = buffers.correction[i + 1] + c;
            buffers.correction[parent] = buffers.correction[parent] - c;
        }
        for (std::size_t k = 0; k < clamped_.size(); ++k) {
            const std::size_t e = std::size_t(clamped_[k]);
            const Vector3<double> c = target[k] - p[e];
            buffers.correction[e] = buffers.correction[e] + c;
            buffers.correction[0] = buffers.correction[0] - c;
        }
        if (!regions.empty()) keep_out(p, regions, radius, buffers);
        const Vector3<double> base = scaled(buffers.correction[0], step[0]);
        for (std::size_t i = 1; i <= n; ++i) p[i] = madd(buffers.correction[i], step[i], p[i]) - base;
    }

    // The largest penetration depth of a segment into the regions to avoid, below 0 for none.
    double depth(const Vector3<double>* p, const std::vector<Region>& regions,
                 const std::vector<double>& radius) const {
        double worst = -std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < segments_.size(); ++i)
            for (const Region& region : regions) {
                double share;
                const Vector3<double> away =
                    nearest(p[segments_[i].parent], p[i + 1], region.centre, share) - region.centre;
                worst = std::max(worst, region.radius + radius[i] - norm(away));
            }
        return worst;
    }

  private:
    static Vector3<double> nearest(const Vector3<double>& a, const Vector3<double>& b, const Vector3<double>& c,
                                   double& share) {
        const Vector3<double> side = b - a;
        const double square = dot(side, side);
        share = square > 0.0 ? std::min(std::max(dot(c - a, side) / square, 0.0), 1.0) : 0.0;
        return madd(side, share, a);
    }

    // Push segments out of a region by the shortest translation, shared between both ends.
    void keep_out(const Vector3<double>* p, const std::vector<Region>& regions, const std::vector<double>& radius,
                  Buffers& buffers) const {
        for (std::size_t i = 0; i < segments_.size(); ++i) {
            const std::size_t parent = std::size_t(segments_[i].parent);
            for (const Region& region : regions) {
                double share;
                Vector3<double> away = nearest(p[parent], p[i + 1], region.centre, share) - region.centre;
                const double far = norm(away), wanted = region.radius + radius[i] + MARGIN * segments_[i].longest;
                if (far >= wanted) continue;
                if (!(far > NO_DIRECTION * wanted)) {
                    const Vector3<double> side = p[i + 1] - p[parent];
                    away = planar_ ? Vector3<double>{-side.y, side.x, 0.0} : perpendicular(side);
                    const double size = norm(away);
                    if (!(size > 0.0)) continue;
                    away = scaled(away, 1.0 / size);
                } else {
                    away = scaled(away, 1.0 / far);
                }
                const Vector3<double> out =
                    scaled(away, (wanted - far) / (share * share + (1.0 - share) * (1.0 - share)));
                buffers.correction[i + 1] = madd(out, share, buffers.correction[i + 1]);
                if (parent) buffers.correction[parent] = madd(out, 1.0 - share, buffers.correction[parent]);
            }
        }
    }

    // Choose the axes of each segment (segment_frame.hpp).
    void choose_axes() {
        const std::size_t n = segments_.size();
        constants_.resize(n);
        std::vector<Rotation3> own(n);
        std::vector<int> first(n + 1, -1), drift(n + 1, 0);
        for (std::size_t i = n; i-- > 0;) {
            const std::size_t parent = std::size_t(segments_[i].parent);
            first[parent] = int(i);
            if (parent && parent != i) constants_[parent - 1].branches = true;
        }
        for (std::size_t i = 0; i < n; ++i) {
            const Segment& segment = segments_[i];
            SegmentConstants& constants = constants_[i];
            if (segment.sweeps_cone()) {
                own[i] = {segment.e1, segment.e2, segment.axis};
                constants.inverse_across = 1.0 / segment.across;
            } else {
                Vector3<double> side = planar_ ? Vector3<double>{0, 0, 1} : perpendicular(segment.rest);
                const int child = first[i + 1];
                if (!planar_ && child >= 0 && segments_[std::size_t(child)].joint == SegmentJoint::hinge) {
                    const Vector3<double>& axis = segments_[std::size_t(child)].axis;
                    constants.k0 = dot(axis, segment.rest);
                    const Vector3<double> flat = axis - scaled(segment.rest, constants.k0);
                    constants.rho = norm(flat);
                    if (constants.rho > NO_TWIST)
                        constants.child = child, constants.inverse_rho = 1.0 / constants.rho,
                        side = scaled(flat, constants.inverse_rho);
                }
                own[i] = {segment.rest, side, cross(segment.rest, side)};
            }
            orthonormalise(own[i]);
            const std::size_t parent = std::size_t(segment.parent);
            constants.axes = own[i];
            if (parent)
                constants.axes = {own[parent - 1].unrotate(own[i].x), own[parent - 1].unrotate(own[i].y),
                                  own[parent - 1].unrotate(own[i].z)};
            drift[i + 1] = drift[parent] + (segment.joint == SegmentJoint::hinge ? 1 : BALL_DRIFT);
            constants.orthonormalised = drift[i + 1] >= MOST_DRIFT;
            if (constants.orthonormalised) drift[i + 1] = 0;
        }
    }

    // Apply every joint's range, from the root outward, and rotate the frames.
    template <bool ALL>
    LIMBIK_FLATTEN void apply_ranges(const Vector3<double>* p, double pull, Buffers& buffers) const {
        const std::size_t n = segments_.size();
        for (std::size_t i = 0; i < n; ++i) {
            buffers.direction[i] = p[i + 1] - p[segments_[i].parent];
            buffers.far[i] = dot(buffers.direction[i], buffers.direction[i]);
        }
        for (std::size_t i = 0; i < n; ++i)
            buffers.far[i] = std::sqrt(buffers.far[i]), buffers.inverse[i] = 1.0 / buffers.far[i];
        for (std::size_t i = 0; i < n; ++i)
            buffers.direction[i] = scaled(
                buffers.direction[i], buffers.far[i] > NO_DIRECTION * segments_[i].longest ? buffers.inverse[i] : 0.0);
        const Rotation3 base = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        Rotation3 F = base;
        for (std::size_t i = 0; i < n; ++i) {
            const Segment& segment = segments_[i];
            const SegmentConstants& constants = constants_[i];
            const std::size_t parent = std::size_t(segment.parent);
            if (parent != i) F = parent ? buffers.frame[parent] : base;
            Rotation3 G = F.rotate(constants.axes);
            Vector3<double> w = buffers.direction[i], u;
            const bool sweeps_cone = segment.sweeps_cone();
            if (segment.pull * pull > 0.0) {
                const Vector3<double> rest = sweeps_cone ? madd(G.x, segment.across, scaled(G.z, segment.along)) : G.x;
                w = pulled(segment.pull * pull, buffers.far[i] > NO_DIRECTION * segment.longest ? w : rest, rest);
            }
            if (sweeps_cone) {
                F = hinge_axes(segment, constants.inverse_across, G, w);
                u = madd(F.x, segment.across, scaled(F.z, segment.along));
            } else {
                const bool still = segment.joint == SegmentJoint::hinge || (w.x == 0.0 && w.y == 0.0 && w.z == 0.0);
                const Tilt tilt = still ? Tilt{G.x, {0, 0, 0}} : ball_tilt(segment, G, w, planar_);
                u = tilt.u;
                F = {u, madd(tilt.away, -tilt.h1, G.y), madd(tilt.away, -tilt.h2, G.z)};
                if (constants.child >= 0) {
                    const std::size_t child = std::size_t(constants.child);
                    const Vector3<double>& next = buffers.direction[child];
                    const HingeRange* own =
                        segment.joint == SegmentJoint::hinge && segment.range.narrow ? &segment.range : nullptr;
                    const double away = dot(tilt.away, next);
                    double cosine, sine;
                    twist(constants, segments_[child], constants_[child].axes, own, dot(u, next),
                          madd(-tilt.h1, away, dot(G.y, next)), madd(-tilt.h2, away, dot(G.z, next)), cosine, sine);
                    F = {u, madd(F.y, cosine, scaled(F.z, sine)), madd(F.z, cosine, scaled(F.y, -sine))};
                }
            }
            if (constants.orthonormalised) orthonormalise(F);
            if (ALL || constants.branches) buffers.frame[i + 1] = F;
            put(i, u,
                variable_ ? std::min(std::max(buffers.far[i], segment.shortest), segment.longest) : segment.longest,
                buffers);
        }
    }

    // The same for balls that rest along their parent: their cones are about the parent segment, and no frames are
    // needed.
    void apply_cone(std::size_t i, const Vector3<double>* p, double pull, Buffers& buffers) const {
        const Segment& segment = segments_[i];
        const Vector3<double> rest = segment.parent ? buffers.direction[std::size_t(segment.parent) - 1] : segment.rest;
        double wanted;
        Vector3<double> u = direction(segment, p[i + 1] - p[segment.parent], rest, pull, wanted);
        if (segment.joint == SegmentJoint::cone && dot(rest, u) < segment.cosine) {
            const Vector3<double> k = cross(rest, u);
            const double sine = norm(k);
            const Vector3<double> axis = sine > NO_DIRECTION ? scaled(k, 1.0 / sine)
                                         : planar_           ? Vector3<double>{0, 0, 1}
                                                             : perpendicular(rest);
            u = rotated_about(axis, rest, segment.cosine, segment.sine);
        }
        buffers.direction[i] = u;
        put(i, u, wanted, buffers);
    }

    // A segment's direction, pulled towards its rest, and its desired length.
    static Vector3<double> direction(const Segment& segment, const Vector3<double>& v, const Vector3<double>& rest,
                                     double pull, double& wanted) {
        const double far = norm(v);
        wanted = std::min(std::max(far, segment.shortest), segment.longest);
        const Vector3<double> u = far > NO_DIRECTION * segment.longest ? scaled(v, 1.0 / far) : rest;
        return segment.pull * pull > 0.0 ? pulled(segment.pull * pull, u, rest) : u;
    }

    static Vector3<double> pulled(double pull, const Vector3<double>& u, const Vector3<double>& rest) {
        const double share = pull / (1.0 + pull);
        const Vector3<double> between = madd(rest, share, scaled(u, 1.0 - share));
        const double size = norm(between);
        return size > NO_DIRECTION ? scaled(between, 1.0 / size) : u;
    }

    void put(std::size_t i, const Vector3<double>& u, double wanted, Buffers& buffers) const {
        buffers.vector[i] = scaled(u, wanted);
        buffers.posture[i + 1] = buffers.posture[std::size_t(segments_[i].parent)] + buffers.vector[i];
    }

    std::vector<Segment> segments_;
    std::vector<int> clamped_;
    bool planar_, framed_ = false, coned_ = false, variable_ = false;
    std::vector<SegmentConstants> constants_;
};

}  // namespace limbik::relaxation
