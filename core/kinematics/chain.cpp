// Serial chains: their construction from mechanisms, and the forward kinematics that is compiled once.
#include "chain.hpp"

namespace limbik::kinematics {

namespace {

inline Pose<double> rotated_back_about_z(const Pose<double>& T, double s, double c) {
    auto back = [&](const Vector3<double>& a) { return Vector3<double>{c * a.x + s * a.y, c * a.y - s * a.x, a.z}; };
    return {back(T.x), back(T.y), back(T.z), back(T.origin)};
}

}  // namespace

std::optional<ScalarChain> as_scalar_chain(const Mechanism& m) {
    const int n = int(m.elements.size());
    if (n == 0 || n != m.n) return std::nullopt;
    for (int i = 0; i < n; ++i) {
        const Element& e = m.elements[i];
        if (e.parent != i - 1 || e.first != i || size_of(e.kind) != 1 || e.scale != 1.0 || e.offset != 0.0)
            return std::nullopt;
    }
    ScalarChain chain;
    chain.base = m.elements[0].placement;
    double b_sine = 0.0, b_cosine = 1.0;         // the b of the previous link
    std::vector<double> a_sine(n), a_cosine(n);  // the a of each link
    for (int i = 0; i < n; ++i) {
        ChainJoint joint{};
        joint.kind = m.elements[i].kind;
        double sa = 0.0, ca = 1.0, sb = 0.0, cb = 1.0;
        if (i + 1 < n) {
            const Pose<double>& link = m.elements[i + 1].placement;
            const double sine = std::hypot(link.z.x, link.z.y);
            if (sine > ROUNDING) sa = link.z.x / sine, ca = -link.z.y / sine;
            const Pose<double> rest = rotated_back_about_z(link, sa, ca);  // Rx(alpha) Rz(b)
            joint.shift = rest.origin;
            joint.twist = ConstantRotation(sine, link.z.z);
            sb = rest.x.y * link.z.z + rest.x.z * sine;
            cb = rest.x.x;
            const double length = std::hypot(sb, cb);
            sb /= length, cb /= length;
        }
        a_sine[i] = sa, a_cosine[i] = ca;
        joint.offset = ConstantRotation(b_sine * ca + b_cosine * sa, b_cosine * ca - b_sine * sa);
        b_sine = sb, b_cosine = cb;
        chain.joints.push_back(joint);
    }
    for (const Frame& frame : m.frames) {
        ChainFrame f{frame.element + 1, frame.placement, false};
        if (f.joints > 0)
            f.placement = rotated_back_about_z(frame.placement, a_sine[frame.element], a_cosine[frame.element]);
        auto differs = [](double x, double y) { return std::fabs(x - y) > ROUNDING; };
        f.rotated = differs(f.placement.x.x, 1.0) || differs(f.placement.y.y, 1.0) || differs(f.placement.z.z, 1.0) ||
                    differs(f.placement.x.y, 0.0) || differs(f.placement.x.z, 0.0) || differs(f.placement.y.z, 0.0);
        chain.frames.push_back(f);
    }
    return chain;
}

template <bool AXES, class R>
Pose<R> forward_chain_noinline(const ScalarChain& chain, const ChainFrame& frame, const R* q, Axis<R>* axes) {
    return forward_chain<AXES, R>(chain, frame, q, axes);
}

#define LIMBIK_FORWARD(AXES, R) \
    template Pose<R> forward_chain_noinline<AXES, R>(const ScalarChain&, const ChainFrame&, const R*, Axis<R>*);
LIMBIK_FORWARD(false, double)
LIMBIK_FORWARD(true, double)
LIMBIK_FORWARD(false, Wide)
LIMBIK_FORWARD(true, Wide)
#undef LIMBIK_FORWARD

}  // namespace limbik::kinematics
