// The mean of multiple computations over points: limbs keep their lengths, clamped points go where they are told.
//
// With every vector between two of the n + 1 points the mean of all its sums over a third, the vectors of the network
// collapse to the points themselves: a cycle moves each point by a share of the corrections that its limbs and clamps
// ask for,
//     p_i <- p_i + step * (sum over limbs and clamps at i of: what the vector should be, less what it is),
// step = 1/(n + 1) in the network, more where it is over-relaxed. It costs O(n), in any dimension and for any tree.
//
// What a limb's vector should be: its length along its direction, the direction first brought inside the joint's range.
// The ranges are taken from the root outward, each against the limb before as already corrected, so that the corrected
// limbs put together are a posture that keeps every length and every range exactly; where its ends miss their targets
// is the error.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "carried_frame.hpp"

namespace limbik::relaxation {

class PointNetwork {
  public:
    // limbs[i] ends at point i + 1; parents come first. clamped: the points that are told where to be.
    // planar: whether everything stays in z = 0, so that what has no direction gets one in that plane.
    PointNetwork(std::vector<Limb> limbs, std::vector<int> clamped, bool planar)
        : limbs_(std::move(limbs)), clamped_(std::move(clamped)), planar_(planar) {
        bool hinged = false, bent = false;
        for (std::size_t i = 0; i < limbs_.size(); ++i) {
            Limb& limb = limbs_[i];
            limb.prepare();
            const Vector3<double> before = limb.parent ? limbs_[std::size_t(limb.parent) - 1].rest : limb.rest;
            bent = bent || limb.rest.x != before.x || limb.rest.y != before.y || limb.rest.z != before.z;
            hinged = hinged || limb.socket == Socket::hinge;
            coned_ = coned_ || limb.socket == Socket::cone || limb.pull > 0.0;
            variable_ = variable_ || limb.shortest != limb.longest;
        }
        framed_ = hinged || (bent && coned_);
        carry();
    }

    int points() const { return int(limbs_.size()) + 1; }
    int clamps() const { return int(clamped_.size()); }
    bool framed() const { return framed_; }
    bool planar() const { return planar_; }
    const std::vector<Limb>& limbs() const { return limbs_; }
    const std::vector<int>& clamped() const { return clamped_; }
    const std::vector<Carrier>& carriers() const { return carriers_; }

    struct Room {
        std::vector<Vector3<double>> vector, whole, push, ahead;
        std::vector<double> far, inverse;
        std::vector<Turned> frame;
        void make(std::size_t n, bool framed) {
            vector.resize(n), whole.resize(n + 1), push.resize(n + 1), ahead.resize(n);
            if (framed) frame.resize(n + 1), far.resize(n), inverse.resize(n);
        }
    };

    // Put the limbs right: room.vector what each should be, room.whole the posture they make. pull: the strength of all
    // pulls. Returns the largest distance of a clamped point from its target.
    double put_right(const Vector3<double>* p, const Vector3<double>* target, double pull, Room& room) const {
        const std::size_t n = limbs_.size();
        room.whole[0] = p[0];
        if (framed_) {
            ranged<false>(p, pull, room);
        } else if (coned_) {
            for (std::size_t i = 0; i < n; ++i) coned(i, p, pull, room);
        } else {
            for (std::size_t i = 0; i < n; ++i) {
                const Limb& limb = limbs_[i];
                const Vector3<double> v = p[i + 1] - p[limb.parent];
                const double square = dot(v, v);
                double wanted = limb.longest;
                if (variable_) wanted = std::min(std::max(std::sqrt(square), limb.shortest), limb.longest);
                const double least = NO_DIRECTION * limb.longest;
                room.vector[i] =
                    square > least * least ? scaled(v, wanted / std::sqrt(square)) : scaled(limb.rest, wanted);
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

    // The frames that the limbs of a posture carry, all of them: room.frame.
    void frames(const Vector3<double>* p, Room& room) const {
        room.whole[0] = p[0];
        room.frame[0] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        ranged<true>(p, 0.0, room);
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
    double depth(const Vector3<double>* p, const std::vector<Region>& regions,
                 const std::vector<double>& radius) const {
        double worst = -std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < limbs_.size(); ++i)
            for (const Region& region : regions) {
                double share;
                const Vector3<double> away =
                    nearest(p[limbs_[i].parent], p[i + 1], region.centre, share) - region.centre;
                worst = std::max(worst, region.radius + radius[i] - length_of(away));
            }
        return worst;
    }

  private:
    static Vector3<double> nearest(const Vector3<double>& a, const Vector3<double>& b, const Vector3<double>& c,
                                   double& share) {
        const Vector3<double> way = b - a;
        const double square = dot(way, way);
        share = square > 0.0 ? std::min(std::max(dot(c - a, way) / square, 0.0), 1.0) : 0.0;
        return madd(way, share, a);
    }

    // Limbs inside a region are pushed out: by the shortest way, both ends by their shares.
    void keep_out(const Vector3<double>* p, const std::vector<Region>& regions, const std::vector<double>& radius,
                  Room& room) const {
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
                const Vector3<double> out =
                    scaled(away, (wanted - far) / (share * share + (1.0 - share) * (1.0 - share)));
                room.push[i + 1] = madd(out, share, room.push[i + 1]);
                if (parent) room.push[parent] = madd(out, 1.0 - share, room.push[parent]);
            }
        }
    }

    // Choose the axes that each limb carries (carried_frame.hpp).
    void carry() {
        const std::size_t n = limbs_.size();
        carriers_.resize(n);
        std::vector<Turned> own(n);
        std::vector<int> first(n + 1, -1), worn(n + 1, 0);
        for (std::size_t i = n; i-- > 0;) {
            const std::size_t parent = std::size_t(limbs_[i].parent);
            first[parent] = int(i);
            if (parent && parent != i) carriers_[parent - 1].kept = true;
        }
        for (std::size_t i = 0; i < n; ++i) {
            const Limb& limb = limbs_[i];
            Carrier& carrier = carriers_[i];
            if (limb.swings()) {
                own[i] = {limb.e1, limb.e2, limb.axis};
                carrier.squeeze = 1.0 / limb.across;
            } else {
                Vector3<double> side = planar_ ? Vector3<double>{0, 0, 1} : across_any(limb.rest);
                const int child = first[i + 1];
                if (!planar_ && child >= 0 && limbs_[std::size_t(child)].socket == Socket::hinge) {
                    const Vector3<double>& axis = limbs_[std::size_t(child)].axis;
                    carrier.k0 = dot(axis, limb.rest);
                    const Vector3<double> flat = axis - scaled(limb.rest, carrier.k0);
                    carrier.rho = length_of(flat);
                    if (carrier.rho > NO_TURN)
                        carrier.child = child, carrier.inverse_rho = 1.0 / carrier.rho,
                        side = scaled(flat, carrier.inverse_rho);
                }
                own[i] = {limb.rest, side, cross(limb.rest, side)};
            }
            put_upright(own[i]);
            const std::size_t parent = std::size_t(limb.parent);
            carrier.axes = own[i];
            if (parent)
                carrier.axes = {own[parent - 1].in(own[i].x), own[parent - 1].in(own[i].y),
                                own[parent - 1].in(own[i].z)};
            worn[i + 1] = worn[parent] + (limb.socket == Socket::hinge ? 1 : BALL);
            carrier.upright = worn[i + 1] >= UPRIGHT;
            if (carrier.upright) worn[i + 1] = 0;
        }
    }

    // Every limb brought inside its joint's range, from the root outward, and the frames that they carry.
    template <bool ALL> LIMBIK_FLAT void ranged(const Vector3<double>* p, double pull, Room& room) const {
        const std::size_t n = limbs_.size();
        for (std::size_t i = 0; i < n; ++i) {
            room.ahead[i] = p[i + 1] - p[limbs_[i].parent];
            room.far[i] = dot(room.ahead[i], room.ahead[i]);
        }
        for (std::size_t i = 0; i < n; ++i) room.far[i] = std::sqrt(room.far[i]), room.inverse[i] = 1.0 / room.far[i];
        for (std::size_t i = 0; i < n; ++i)
            room.ahead[i] =
                scaled(room.ahead[i], room.far[i] > NO_DIRECTION * limbs_[i].longest ? room.inverse[i] : 0.0);
        const Turned base = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        Turned F = base;
        for (std::size_t i = 0; i < n; ++i) {
            const Limb& limb = limbs_[i];
            const Carrier& carrier = carriers_[i];
            const std::size_t parent = std::size_t(limb.parent);
            if (parent != i) F = parent ? room.frame[parent] : base;
            Turned G = F.out(carrier.axes);
            Vector3<double> w = room.ahead[i], u;
            const bool swings = limb.swings();
            if (limb.pull * pull > 0.0) {
                const Vector3<double> rest = swings ? madd(G.x, limb.across, scaled(G.z, limb.along)) : G.x;
                w = drawn(limb.pull * pull, room.far[i] > NO_DIRECTION * limb.longest ? w : rest, rest);
            }
            if (swings) {
                F = swung(limb, carrier.squeeze, G, w);
                u = madd(F.x, limb.across, scaled(F.z, limb.along));
            } else {
                const bool still = limb.socket == Socket::hinge || (w.x == 0.0 && w.y == 0.0 && w.z == 0.0);
                const Tilt tilt = still ? Tilt{G.x, {0, 0, 0}} : tilted(limb, G, w, planar_);
                u = tilt.u;
                F = {u, madd(tilt.away, -tilt.h1, G.y), madd(tilt.away, -tilt.h2, G.z)};
                if (carrier.child >= 0) {
                    const std::size_t child = std::size_t(carrier.child);
                    const Vector3<double>& next = room.ahead[child];
                    const HingeRange* own = limb.socket == Socket::hinge && limb.arc.narrow ? &limb.arc : nullptr;
                    const double away = dot(tilt.away, next);
                    double cosine, sine;
                    twist(carrier, limbs_[child], carriers_[child].axes, own, dot(u, next),
                          madd(-tilt.h1, away, dot(G.y, next)), madd(-tilt.h2, away, dot(G.z, next)), cosine, sine);
                    F = {u, madd(F.y, cosine, scaled(F.z, sine)), madd(F.z, cosine, scaled(F.y, -sine))};
                }
            }
            if (carrier.upright) put_upright(F);
            if (ALL || carrier.kept) room.frame[i + 1] = F;
            put(i, u, variable_ ? std::min(std::max(room.far[i], limb.shortest), limb.longest) : limb.longest, room);
        }
    }

    // The same for balls that rest straight ahead: their cones stand about the limb before, and no frames are needed.
    void coned(std::size_t i, const Vector3<double>* p, double pull, Room& room) const {
        const Limb& limb = limbs_[i];
        const Vector3<double> rest = limb.parent ? room.ahead[std::size_t(limb.parent) - 1] : limb.rest;
        double wanted;
        Vector3<double> u = direction(limb, p[i + 1] - p[limb.parent], rest, pull, wanted);
        if (limb.socket == Socket::cone && dot(rest, u) < limb.cosine) {
            const Vector3<double> k = cross(rest, u);
            const double sine = length_of(k);
            u = about(sine > NO_DIRECTION ? scaled(k, 1.0 / sine)
                      : planar_           ? Vector3<double>{0, 0, 1}
                                          : across_any(rest),
                      limb.cosine, limb.sine, rest);
        }
        room.ahead[i] = u;
        put(i, u, wanted, room);
    }

    // Where a limb points, drawn to its rest by its pull, and how long it should be.
    static Vector3<double> direction(const Limb& limb, const Vector3<double>& v, const Vector3<double>& rest,
                                     double pull, double& wanted) {
        const double far = length_of(v);
        wanted = std::min(std::max(far, limb.shortest), limb.longest);
        const Vector3<double> u = far > NO_DIRECTION * limb.longest ? scaled(v, 1.0 / far) : rest;
        return limb.pull * pull > 0.0 ? drawn(limb.pull * pull, u, rest) : u;
    }

    static Vector3<double> drawn(double pull, const Vector3<double>& u, const Vector3<double>& rest) {
        const double share = pull / (1.0 + pull);
        const Vector3<double> between = madd(rest, share, scaled(u, 1.0 - share));
        const double size = length_of(between);
        return size > NO_DIRECTION ? scaled(between, 1.0 / size) : u;
    }

    void put(std::size_t i, const Vector3<double>& u, double wanted, Room& room) const {
        room.vector[i] = scaled(u, wanted);
        room.whole[i + 1] = room.whole[std::size_t(limbs_[i].parent)] + room.vector[i];
    }

    std::vector<Limb> limbs_;
    std::vector<int> clamped_;
    bool planar_, framed_ = false, coned_ = false, variable_ = false;
    std::vector<Carrier> carriers_;
};

}  // namespace limbik::relaxation
