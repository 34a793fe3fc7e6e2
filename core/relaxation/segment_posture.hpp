// A configuration of MMC segments: the rotation of each joint in its segment's own axes, and each length. It always
// keeps lengths and ranges.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "../base/random.hpp"
#include "point_network.hpp"

namespace limbik::relaxation {

struct SegmentPosture {
    const PointNetwork* net;
    std::vector<Rotation3> own;  // the rotation of each joint
    std::vector<double> length;
    std::vector<Rotation3> frame;  // the frame at each point
    std::vector<Vector3<double>> point;

    explicit SegmentPosture(const PointNetwork& network) : net(&network) {}

    // A segment's axes before its joint rotates them.
    Rotation3 axes(std::size_t i) const {
        return frame[std::size_t(net->segments()[i].parent)].rotate(net->constants()[i].axes);
    }

    // A segment's direction.
    Vector3<double> direction(std::size_t i) const {
        const Segment& segment = net->segments()[i];
        return segment.sweeps_cone() ? madd(frame[i + 1].x, segment.across, scaled(frame[i + 1].z, segment.along))
                                     : frame[i + 1].x;
    }

    // Cosine and sine of a hinge's angle.
    std::pair<double, double> hinge(std::size_t i) const {
        return net->segments()[i].sweeps_cone() ? std::pair{own[i].x.x, own[i].x.y} : std::pair{own[i].y.y, own[i].y.z};
    }

    // Frames and points from the joints.
    void forward() {
        for (std::size_t i = 0; i < own.size(); ++i) {
            orthonormalise(own[i]);
            frame[i + 1] = axes(i).rotate(own[i]);
            point[i + 1] = madd(direction(i), length[i], point[std::size_t(net->segments()[i].parent)]);
        }
    }

    // The configuration of given points, clamped to lengths and ranges.
    void read(const Vector3<double>* p) {
        const std::size_t n = net->segments().size();
        PointNetwork::Buffers buffers;
        buffers.make(n, true);
        net->frames(p, buffers);
        frame = buffers.frame, point.assign(p, p + n + 1);
        own.resize(n), length.resize(n);
        for (std::size_t i = 0; i < n; ++i) {
            const Segment& segment = net->segments()[i];
            const Rotation3 G = axes(i);
            const Rotation3& F = frame[i + 1];
            own[i] = {G.unrotate(F.x), G.unrotate(F.y), G.unrotate(F.z)};
            length[i] = std::min(std::max(norm(p[i + 1] - p[segment.parent]), segment.shortest), segment.longest);
        }
        forward();
    }

    // The random configuration with this number, uniform in every joint's range. `read` must have been called before.
    void randomise(std::uint64_t number) {
        std::uint64_t drawn = 0;
        const auto between = [&](double low, double high) {
            return low + (high - low) * counter_random(number, drawn++);
        };
        for (std::size_t i = 0; i < own.size(); ++i) {
            const Segment& segment = net->segments()[i];
            own[i] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
            length[i] = between(segment.shortest, segment.longest);
            if (segment.joint == SegmentJoint::hinge) {
                const double angle = between(segment.low, segment.high);
                set_hinge(segment, own[i], std::cos(angle),
                          segment.sweeps_cone() || segment.along > 0.0 ? std::sin(angle) : -std::sin(angle));
                continue;
            }
            const double least = segment.joint == SegmentJoint::cone ? segment.cosine : -1.0, side = between(-PI, PI),
                         tilt = between(-1.0, 1.0);
            const double cosine = net->planar() ? std::cos(std::acos(least) * tilt) : between(least, 1.0);
            const double sine = std::copysign(std::sqrt(std::max(1.0 - cosine * cosine, 0.0)), tilt);
            rotate_joint(own[i],
                         net->planar() ? Vector3<double>{0, 1, 0} : Vector3<double>{0, std::cos(side), std::sin(side)},
                         cosine, sine);
        }
        forward();
    }

    // Rotate a joint about an axis in the base frame, clamped to its range. `from`: the configuration that defines the
    // axes of the segment.
    void rotate_about(std::size_t i, const Vector3<double>& axis, double angle, const SegmentPosture& from) {
        const Segment& segment = net->segments()[i];
        Rotation3& joint = own[i];
        const double co = std::cos(angle), si = std::sin(angle);
        if (segment.joint == SegmentJoint::hinge) {
            const auto [c, d] = hinge(i);
            double cosine = c * co - d * si, sine = d * co + c * si;
            segment.range.clamp(cosine, sine);
            set_hinge(segment, joint, cosine, sine);
            return;
        }
        rotate_joint(joint, from.axes(i).unrotate(axis), co, si);
        if (segment.joint != SegmentJoint::cone || joint.x.x >= segment.cosine) return;
        const Vector3<double> k = cross({1, 0, 0}, joint.x);
        const double size = norm(k);
        if (size > 0.0)
            rotate_joint(joint, scaled(k, 1.0 / size), joint.x.x * segment.cosine + size * segment.sine,
                         segment.sine * joint.x.x - segment.cosine * size);
    }

    void stretch(std::size_t i, double amount) {
        const Segment& segment = net->segments()[i];
        length[i] = std::min(std::max(length[i] + amount, segment.shortest), segment.longest);
    }

  private:
    static void rotate_joint(Rotation3& joint, const Vector3<double>& axis, double cosine, double sine) {
        joint = {rotated_about(axis, joint.x, cosine, sine), rotated_about(axis, joint.y, cosine, sine),
                 rotated_about(axis, joint.z, cosine, sine)};
    }
    static void set_hinge(const Segment& segment, Rotation3& joint, double cosine, double sine) {
        if (segment.sweeps_cone()) joint = {{cosine, sine, 0}, {-sine, cosine, 0}, {0, 0, 1}};
        else joint = {{1, 0, 0}, {0, cosine, sine}, {0, -sine, cosine}};
    }
};

}  // namespace limbik::relaxation
