// A posture of limbs by its joints: the turn of each in its limb's own axes, and its length. Every one keeps lengths
// and ranges.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "../base/random.hpp"
#include "point_network.hpp"

namespace limbik::relaxation {

struct LimbPosture {
    const PointNetwork* net;
    std::vector<Turned> own;  // the turn of each joint
    std::vector<double> length;
    std::vector<Turned> frame;  // what they carry, point by point
    std::vector<Vector3<double>> point;

    explicit LimbPosture(const PointNetwork& network) : net(&network) {}

    // A limb's axes before its joint turns them.
    Turned axes(std::size_t i) const { return frame[std::size_t(net->limbs()[i].parent)].out(net->carriers()[i].axes); }

    // Where a limb points.
    Vector3<double> ahead(std::size_t i) const {
        const Limb& limb = net->limbs()[i];
        return limb.swings() ? madd(frame[i + 1].x, limb.across, scaled(frame[i + 1].z, limb.along)) : frame[i + 1].x;
    }

    // Cosine and sine of a hinge's angle.
    std::pair<double, double> hinge(std::size_t i) const {
        return net->limbs()[i].swings() ? std::pair{own[i].x.x, own[i].x.y} : std::pair{own[i].y.y, own[i].y.z};
    }

    // Frames and points from the joints.
    void forward() {
        for (std::size_t i = 0; i < own.size(); ++i) {
            put_upright(own[i]);
            frame[i + 1] = axes(i).out(own[i]);
            point[i + 1] = madd(ahead(i), length[i], point[std::size_t(net->limbs()[i].parent)]);
        }
    }

    // The posture of points; what is off its lengths and ranges is brought inside.
    void read(const Vector3<double>* p) {
        const std::size_t n = net->limbs().size();
        PointNetwork::Room room;
        room.make(n, true);
        net->frames(p, room);
        frame = room.frame, point.assign(p, p + n + 1);
        own.resize(n), length.resize(n);
        for (std::size_t i = 0; i < n; ++i) {
            const Limb& limb = net->limbs()[i];
            const Turned G = axes(i);
            const Turned& F = frame[i + 1];
            own[i] = {G.in(F.x), G.in(F.y), G.in(F.z)};
            length[i] = std::min(std::max(length_of(p[i + 1] - p[limb.parent]), limb.shortest), limb.longest);
        }
        forward();
    }

    // The posture that a number stands for: every joint anywhere in its range. Something was read before.
    void scatter(std::uint64_t number) {
        std::uint64_t drawn = 0;
        const auto between = [&](double low, double high) {
            return low + (high - low) * counter_random(number, drawn++);
        };
        for (std::size_t i = 0; i < own.size(); ++i) {
            const Limb& limb = net->limbs()[i];
            own[i] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
            length[i] = between(limb.shortest, limb.longest);
            if (limb.socket == Socket::hinge) {
                const double angle = between(limb.low, limb.high);
                set_hinge(limb, own[i], std::cos(angle),
                          limb.swings() || limb.along > 0.0 ? std::sin(angle) : -std::sin(angle));
                continue;
            }
            const double least = limb.socket == Socket::cone ? limb.cosine : -1.0, side = between(-PI, PI),
                         tilt = between(-1.0, 1.0);
            const double cosine = net->planar() ? std::cos(std::acos(least) * tilt) : between(least, 1.0);
            const double sine = std::copysign(std::sqrt(std::max(1.0 - cosine * cosine, 0.0)), tilt);
            tip(own[i], net->planar() ? Vector3<double>{0, 1, 0} : Vector3<double>{0, std::cos(side), std::sin(side)},
                cosine, sine);
        }
        forward();
    }

    // Turn a joint by an angle about an axis, seen from outside; `from` is the posture whose axes these are. Stays in
    // its range.
    void turn(std::size_t i, const Vector3<double>& about_axis, double angle, const LimbPosture& from) {
        const Limb& limb = net->limbs()[i];
        Turned& joint = own[i];
        const double co = std::cos(angle), si = std::sin(angle);
        if (limb.socket == Socket::hinge) {
            const auto [c, d] = hinge(i);
            double cosine = c * co - d * si, sine = d * co + c * si;
            limb.arc.clamp(cosine, sine);
            set_hinge(limb, joint, cosine, sine);
            return;
        }
        tip(joint, from.axes(i).in(about_axis), co, si);
        if (limb.socket != Socket::cone || joint.x.x >= limb.cosine) return;
        const Vector3<double> k = cross({1, 0, 0}, joint.x);
        const double size = length_of(k);
        if (size > 0.0)
            tip(joint, scaled(k, 1.0 / size), joint.x.x * limb.cosine + size * limb.sine,
                limb.sine * joint.x.x - limb.cosine * size);
    }

    void stretch(std::size_t i, double amount) {
        const Limb& limb = net->limbs()[i];
        length[i] = std::min(std::max(length[i] + amount, limb.shortest), limb.longest);
    }

  private:
    static void tip(Turned& joint, const Vector3<double>& axis, double cosine, double sine) {
        joint = {about(axis, cosine, sine, joint.x), about(axis, cosine, sine, joint.y),
                 about(axis, cosine, sine, joint.z)};
    }
    static void set_hinge(const Limb& limb, Turned& joint, double cosine, double sine) {
        if (limb.swings()) joint = {{cosine, sine, 0}, {-sine, cosine, 0}, {0, 0, 1}};
        else joint = {{1, 0, 0}, {0, cosine, sine}, {0, -sine, cosine}};
    }
};

}  // namespace limbik::relaxation
