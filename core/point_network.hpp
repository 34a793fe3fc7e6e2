// The mean of multiple computations over points: limbs keep their lengths, clamped points go where they are told.
//
// With every vector between two of the n + 1 points the mean of all its sums over a third, the vectors of the network collapse
// to the points themselves: a cycle moves each point by a share of the corrections that its limbs and clamps ask for,
//     p_i <- p_i + step * (sum over limbs and clamps at i of: what the vector should be, less what it is),
// step = 1/(n + 1) in the network, more where it is over-relaxed. It costs O(n), in any dimension and for any tree.
//
// What a limb's vector should be: its length along its direction, the direction first brought inside the joint's range. The
// ranges are taken from the root outward, each against the limb before as already corrected, so that the corrected limbs put
// together are a posture that keeps every length and every range exactly; where its ends miss their targets is the error.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "limb.hpp"

namespace limbik {

class PointNetwork {
  public:
    // limbs[i] ends at point i + 1; parents come first. clamped: the points that are told where to be.
    // planar: whether everything stays in z = 0, so that what has no direction gets one in that plane.
    PointNetwork(std::vector<Limb> limbs, std::vector<int> clamped, bool planar)
        : limbs_(std::move(limbs)), clamped_(std::move(clamped)), planar_(planar) {
        const std::size_t n = limbs_.size();
        std::vector<int> depth(n + 1, 0);
        for (std::size_t i = 0; i < n; ++i) {
            Limb& limb = limbs_[i];
            limb.prepare();
            depth[i + 1] = depth[std::size_t(limb.parent)] + 1;
            limb.upright = depth[i + 1] % UPRIGHT == 0;
            const Vector3<double> before = limb.parent ? limbs_[std::size_t(limb.parent) - 1].rest : limb.rest;
            const bool straight = limb.rest.x == before.x && limb.rest.y == before.y && limb.rest.z == before.z;
            coned_ = coned_ || limb.socket == Socket::cone || limb.pull > 0.0;
            framed_ = framed_ || limb.socket == Socket::hinge || !straight;
            variable_ = variable_ || limb.shortest != limb.longest;
        }
        framed_ = framed_ && (coned_ || std::any_of(limbs_.begin(), limbs_.end(), [](const Limb& l) { return l.socket == Socket::hinge; }));
        first_child_.assign(n + 1, -1);
        for (std::size_t i = n; i-- > 0;) first_child_[std::size_t(limbs_[i].parent)] = int(i);
    }

    int points() const { return int(limbs_.size()) + 1; }
    int clamps() const { return int(clamped_.size()); }
    bool framed() const { return framed_; }

    struct Room {
        std::vector<Vector3<double>> vector, whole, push, ahead;
        std::vector<Turned> frame;
        void make(std::size_t n, bool framed) {
            vector.resize(n), whole.resize(n + 1), push.resize(n + 1), ahead.resize(n);
            if (framed) frame.resize(n + 1);
        }
    };

    // Put the limbs right: room.vector what each should be, room.whole the posture they make. pull: the strength of all pulls.
    // Returns the largest distance of a clamped point from its target.
    double put_right(const Vector3<double>* p, const Vector3<double>* target, double pull, Room& room) const {
        const std::size_t n = limbs_.size();
        room.whole[0] = p[0];
        if (framed_) {
            room.frame[0] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
            for (std::size_t i = 0; i < n; ++i) {
                ranged(i, p, pull, room);
                if (limbs_[i].upright) put_upright(room.frame[i + 1]);
            }
        } else if (coned_) {
            for (std::size_t i = 0; i < n; ++i) tilted(i, p, pull, room);
        } else {
            for (std::size_t i = 0; i < n; ++i) {
                const Limb& limb = limbs_[i];
                const Vector3<double> v = p[i + 1] - p[limb.parent];
                const double square = dot(v, v);
                double wanted = limb.longest;
                if (variable_) wanted = std::min(std::max(std::sqrt(square), limb.shortest), limb.longest);
                const double least = NO_DIRECTION * limb.longest;
                room.vector[i] = square > least * least ? scaled(v, wanted / std::sqrt(square)) : scaled(limb.rest, wanted);
                room.whole[i + 1] = room.whole[std::size_t(limb.parent)] + room.vector[i];
            }
        }
        double worst = 0.0;
        for (std::size_t k = 0; k < clamped_.size(); ++k) {
            const Vector3<double> miss = room.whole[std::size_t(clamped_[k])] - target[k];
            worst = std::max(worst, dot(miss, miss));
        }
        return std::sqrt(worst);
    }

    // Move the points by the corrections; put_right came before. Point 0 stays where it is.
    void move(Vector3<double>* p, const Vector3<double>* target, const double* step, const std::vector<Region>& regions,
              const std::vector<double>& radius, Room& room) const {
        const std::size_t n = limbs_.size();
        for (auto& push : room.push) push = {0, 0, 0};
        for (std::size_t i = 0; i < n; ++i) {
            const std::size_t parent = std::size_t(limbs_[i].parent);
            const Vector3<double> c = room.vector[i] - (p[i + 1] - p[parent]);
            room.push[i + 1] = room.push[i + 1] + c;
            room.push[parent] = room.push[parent] - c;
        }
        for (std::size_t k = 0; k < clamped_.size(); ++k) {
            const std::size_t e = std::size_t(clamped_[k]);
            const Vector3<double> c = target[k] - p[e];
            room.push[e] = room.push[e] + c;
            room.push[0] = room.push[0] - c;
        }
        if (!regions.empty()) keep_out(p, regions, radius, room);
        const Vector3<double> base = scaled(room.push[0], step[0]);
        for (std::size_t i = 1; i <= n; ++i) p[i] = madd(room.push[i], step[i], p[i]) - base;
    }

    // How deep a posture stands in the regions that are to be free: the largest depth over all limbs, below 0 for none.
    double depth(const Vector3<double>* p, const std::vector<Region>& regions, const std::vector<double>& radius) const {
        double worst = -std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < limbs_.size(); ++i)
            for (const Region& region : regions) {
                double share;
                const Vector3<double> away = nearest(p[limbs_[i].parent], p[i + 1], region.centre, share) - region.centre;
                worst = std::max(worst, region.radius + radius[i] - length_of(away));
            }
        return worst;
    }

  private:
    static Vector3<double> nearest(const Vector3<double>& a, const Vector3<double>& b, const Vector3<double>& c, double& share) {
        const Vector3<double> way = b - a;
        const double square = dot(way, way);
        share = square > 0.0 ? std::min(std::max(dot(c - a, way) / square, 0.0), 1.0) : 0.0;
        return madd(way, share, a);
    }

    // Limbs inside a region are pushed out: by the shortest way, both ends by their shares.
    void keep_out(const Vector3<double>* p, const std::vector<Region>& regions, const std::vector<double>& radius, Room& room) const {
        for (std::size_t i = 0; i < limbs_.size(); ++i) {
            const std::size_t parent = std::size_t(limbs_[i].parent);
            for (const Region& region : regions) {
                double share;
                Vector3<double> away = nearest(p[parent], p[i + 1], region.centre, share) - region.centre;
                const double far = length_of(away), wanted = region.radius + radius[i] + MARGIN * limbs_[i].longest;
                if (far >= wanted) continue;
                if (!(far > NO_DIRECTION * wanted)) {
                    const Vector3<double> way = p[i + 1] - p[parent];
                    away = planar_ ? Vector3<double>{-way.y, way.x, 0.0} : across_any(way);
                    const double size = length_of(away);
                    if (!(size > 0.0)) continue;
                    away = scaled(away, 1.0 / size);
                } else {
                    away = scaled(away, 1.0 / far);
                }
                const Vector3<double> out = scaled(away, (wanted - far) / (share * share + (1.0 - share) * (1.0 - share)));
                room.push[i + 1] = madd(out, share, room.push[i + 1]);
                if (parent) room.push[parent] = madd(out, 1.0 - share, room.push[parent]);
            }
        }
    }

    // The limb that ends at point i + 1, brought inside its joint's range, and the frame that it carries.
    void ranged(std::size_t i, const Vector3<double>* p, double pull, Room& room) const {
        const Limb& limb = limbs_[i];
        const Vector3<double> v = p[i + 1] - p[limb.parent];
        if (limb.socket == Socket::hinge && limb.across > 0.0 && !(limb.pull * pull > 0.0)) {
            const double square = dot(v, v), least = NO_DIRECTION * limb.longest;
            const double wanted = limb.shortest == limb.longest ? limb.longest : std::min(std::max(std::sqrt(square), limb.shortest), limb.longest);
            // the direction alone is read, so that v may have any length
            hinged(i, square > least * least ? v : room.frame[std::size_t(limb.parent)].out(limb.rest), wanted, room);
            return;
        }
        const Turned& R = room.frame[std::size_t(limb.parent)];
        const Vector3<double> rest = R.out(limb.rest);
        double wanted;
        Vector3<double> u = direction(limb, v, rest, pull, wanted);
        Turned& made = room.frame[i + 1];
        if (limb.socket == Socket::hinge && limb.across > 0.0) {
            hinged(i, u, wanted, room);
            return;
        }
        if (limb.socket == Socket::hinge) { // the limb lies along the axis: the joint turns what comes after
            u = rest;
            made = R;
            twist(i, p, u, limb.low, limb.high, room);
        } else {
            double cosine = dot(rest, u);
            Vector3<double> k = cross(rest, u);
            double sine = length_of(k);
            k = sine > NO_DIRECTION ? scaled(k, 1.0 / sine) : planar_ ? Vector3<double>{0, 0, 1} : across_any(rest);
            if (limb.socket == Socket::cone && cosine < limb.cosine) {
                cosine = limb.cosine, sine = limb.sine;
                u = about(k, cosine, sine, rest);
            }
            made = about(k, cosine, sine, R);
            twist(i, p, u, -PI, PI, room);
        }
        put(i, u, wanted, room);
    }

    void hinged(std::size_t i, const Vector3<double>& v, double wanted, Room& room) const {
        const Limb& limb = limbs_[i];
        const Turned& R = room.frame[std::size_t(limb.parent)];
        const Vector3<double> local = R.in(v);
        const double c = dot(local, limb.e1), t = dot(local, limb.e2), square = c * c + t * t;
        double cosine = 1.0, sine = 0.0;
        if (square > NO_DIRECTION * NO_DIRECTION * dot(v, v)) {
            const double whole = 1.0 / std::sqrt(square);
            cosine = c * whole, sine = t * whole;
        }
        if (limb.ranged && cosine * limb.middle_cosine + sine * limb.middle_sine < limb.half_cosine) {
            const double* end = limb.ends + (sine * limb.middle_cosine - cosine * limb.middle_sine > 0.0 ? 2 : 0);
            cosine = end[0], sine = end[1];
        }
        room.frame[i + 1] = about(R.out(limb.axis), cosine, sine, R);
        put(i, R.out(madd(limb.axis, limb.along, madd(limb.e1, limb.across * cosine, scaled(limb.e2, limb.across * sine)))), wanted, room);
    }

    // The same for balls that rest straight ahead: their cones stand about the limb before, and no frames are needed.
    void tilted(std::size_t i, const Vector3<double>* p, double pull, Room& room) const {
        const Limb& limb = limbs_[i];
        const Vector3<double> rest = limb.parent ? room.ahead[std::size_t(limb.parent) - 1] : limb.rest;
        double wanted;
        Vector3<double> u = direction(limb, p[i + 1] - p[limb.parent], rest, pull, wanted);
        if (limb.socket == Socket::cone && dot(rest, u) < limb.cosine) {
            const Vector3<double> k = cross(rest, u);
            const double sine = length_of(k);
            u = about(sine > NO_DIRECTION ? scaled(k, 1.0 / sine) : planar_ ? Vector3<double>{0, 0, 1} : across_any(rest), limb.cosine, limb.sine, rest);
        }
        room.ahead[i] = u;
        put(i, u, wanted, room);
    }

    // Where a limb points, drawn to its rest by its pull, and how long it should be.
    static Vector3<double> direction(const Limb& limb, const Vector3<double>& v, const Vector3<double>& rest, double pull, double& wanted) {
        const double far = length_of(v);
        wanted = std::min(std::max(far, limb.shortest), limb.longest);
        Vector3<double> u = far > NO_DIRECTION * limb.longest ? scaled(v, 1.0 / far) : rest;
        if (limb.pull * pull > 0.0) {
            const double share = limb.pull * pull / (1.0 + limb.pull * pull);
            const Vector3<double> drawn = madd(rest, share, scaled(u, 1.0 - share));
            const double size = length_of(drawn);
            if (size > NO_DIRECTION) u = scaled(drawn, 1.0 / size);
        }
        return u;
    }

    void put(std::size_t i, const Vector3<double>& u, double wanted, Room& room) const {
        room.vector[i] = scaled(u, wanted);
        room.whole[i + 1] = room.whole[std::size_t(limbs_[i].parent)] + room.vector[i];
    }

    // Turn the frame of a limb about the limb, so that a hinge at its end can bring the next limb where that wants to be: the
    // next hinge's axis k must have k.v = (k.rest) |v|. Of two such turns the smaller is taken, or the one that its range allows.
    void twist(std::size_t i, const Vector3<double>* p, const Vector3<double>& u, double low, double high, Room& room) const {
        if (planar_) return; // nothing turns out of its plane
        const int child = first_child_[i + 1];
        if (child < 0 || limbs_[std::size_t(child)].socket != Socket::hinge) return;
        const Limb& next = limbs_[std::size_t(child)];
        Turned& made = room.frame[i + 1];
        const Vector3<double> v = p[child + 1] - p[i + 1];
        const double far = length_of(v);
        if (!(far > NO_DIRECTION * next.longest)) return;
        const Vector3<double> w = scaled(v, 1.0 / far), k = made.out(next.axis);
        const double along = dot(k, u);
        const Vector3<double> flat = k - scaled(u, along);
        const double A = dot(flat, w), B = dot(cross(u, flat), w), C = dot(k, made.out(next.rest)) - along * dot(u, w);
        const double size = std::sqrt(A * A + B * B);
        if (!(size > 1e-9)) return;
        // the turns have the angle of (A, B) and, to either side of it, the one whose cosine is C / size
        const double c = std::min(std::max(C / size, -1.0), 1.0), s = std::sqrt(1.0 - c * c), cm = A / size, sm = B / size;
        double turns[2][2] = {{cm * c - sm * s, sm * c + cm * s}, {cm * c + sm * s, sm * c - cm * s}}; // cosine and sine of each
        if (turns[1][0] > turns[0][0]) std::swap(turns[0], turns[1]);
        if (low > -PI || high < PI)
            for (auto& turn : turns) {
                const double held = std::min(std::max(std::atan2(turn[1], turn[0]), low), high);
                turn[0] = std::cos(held), turn[1] = std::sin(held);
            }
        const Turned before = made;
        for (const auto& turn : turns) { // whether the hinge's own range then holds the angle that the next limb wants
            made = about(u, turn[0], turn[1], before);
            const Vector3<double> local = made.in(w);
            const double x = dot(local, next.e1), y = dot(local, next.e2), whole = std::sqrt(x * x + y * y);
            if (!next.ranged || x * next.middle_cosine + y * next.middle_sine >= next.half_cosine * whole) return;
        }
        made = about(u, turns[0][0], turns[0][1], before);
    }

    std::vector<Limb> limbs_;
    std::vector<int> clamped_;
    bool planar_, framed_ = false, coned_ = false, variable_ = false;
    std::vector<int> first_child_;
};

}  // namespace limbik
