// Python bindings of the MMC networks: over the angles of triangles, and over the points of segments.

#define NO_IMPORT_ARRAY
#include "arrays.hpp"
#include "released.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>

#include "../relaxation/relaxation.hpp"
#include "../relaxation/segment_search.hpp"

namespace limbik::bindings {

using Numbers = std::vector<double>;

nb::object array_of(const Numbers& values, std::initializer_list<npy_intp> shape) {
    double* data;
    nb::object array = new_array(nullptr, 0, shape, &data);
    std::copy(values.begin(), values.end(), data);
    return array;
}

class PyAngleNetwork {
  public:
    // rows: twelve numbers each: rule, target, constant, number of terms, four indices, four signs; instead: one each.
    PyAngleNetwork(const Numbers& rows, const std::vector<int>& instead, const std::vector<bool>& angular,
                   const Numbers& lengths)
        : network_(read(rows, instead, int(angular.size()), int(angular.size() + lengths.size())), angular, lengths) {}

    nb::tuple run(nb::handle start_given, nb::handle clamped_given, nb::handle low_given, nb::handle high_given,
                  const std::string& removed, const std::string& noisy, int cycles, double tolerance, bool parallel,
                  int mean, bool nearest, double least_side, double damping, double noise, std::uint64_t seed,
                  std::uint64_t first_cycle) const {
        const std::size_t m = std::size_t(network_.variables());
        const Input start(start_given, "start"), clamped(clamped_given, "clamped"), low(low_given, "low"),
            high(high_given, "high");
        for (const Input* x : {&start, &clamped, &low, &high})
            if (x->ndim() != 1 || std::size_t(x->dims()[0]) != m) raise("ShapeError", "one number for each variable");
        if (cycles < 0 || mean < 0 || mean > int(Mean::circular))
            raise("BadOption", "cycles must be 0 or more, and mean from 0 to 3");
        for (const std::string* marks : {&removed, &noisy})
            if (!marks->empty() && marks->size() != std::size_t(network_.rows()))
                raise("ShapeError", "removed and noisy need one character for each computation");
        std::unique_ptr<bool[]> held(new bool[m]);
        for (std::size_t v = 0; v < m; ++v) held[v] = !std::isnan(clamped.data()[v]);
        auto marks = [](const std::string& s) {
            return s.empty() ? nullptr : reinterpret_cast<const unsigned char*>(s.data());
        };
        const AngleInputs in = {held.get(), clamped.data(), low.data(), high.data(), marks(removed), marks(noisy)};
        const NetworkSettings settings = {parallel, Mean(mean), nearest, least_side, damping, noise, seed};
        AngleTrace trace;
        {
            const Released release;
            trace = relax(network_, start.data(), in, cycles, tolerance, settings, first_cycle);
        }
        const npy_intp k = npy_intp(trace.states.size() / m);
        return nb::make_tuple(array_of(trace.states, {k, npy_intp(m)}),
                              array_of(trace.change, {npy_intp(trace.change.size())}), int(trace.end),
                              trace.disagreement);
    }

    double disagreement(nb::handle state_given, bool nearest, double least_side) const {
        const Input state(state_given, "state");
        if (state.ndim() != 1 || state.dims()[0] != network_.variables())
            raise("ShapeError", "one number for each variable");
        Numbers posture(state.data(), state.data() + network_.variables());
        posture.insert(posture.end(), network_.lengths().begin(), network_.lengths().end());
        NetworkSettings settings;
        settings.nearest = nearest, settings.least_side = least_side;
        return network_.disagreement(posture.data(), nullptr, settings);
    }

  private:
    static std::vector<Computation> read(const Numbers& x, const std::vector<int>& instead, int variables, int places) {
        if (x.empty() || x.size() != 12 * instead.size()) raise("BadModel", "a computation has twelve numbers");
        std::vector<Computation> rows;
        for (std::size_t k = 0; k < instead.size(); ++k) {
            const double* r = &x[12 * k];
            Computation row = {Rule(int(r[0])), int(r[1]), r[2], int(r[3]), {}, {}, instead[k]};
            if (r[0] < 0 || r[0] > 2 || row.target < 0 || row.target >= variables || row.terms < 0 || row.terms > 4 ||
                row.instead >= int(instead.size()))
                raise("BadModel", "a computation has an unknown rule, target, number of terms or replacement");
            if (row.rule != Rule::linear && row.terms != 3) raise("BadModel", "a law of cosines has three terms");
            if (row.instead >= 0 && x[12 * std::size_t(row.instead)] != 0.0)
                raise("BadModel", "only a linear computation can replace another");
            for (int i = 0; i < row.terms; ++i) {
                row.index[i] = int(r[4 + i]), row.sign[i] = r[8 + i];
                if (row.index[i] < 0 || row.index[i] >= places)
                    raise("BadModel", "a computation reads a variable that does not exist");
            }
            rows.push_back(row);
        }
        return rows;
    }

    AngleNetwork network_;
};

Vector3<double> three(const double* x) { return {x[0], x[1], x[2]}; }

class PyPointNetwork {
  public:
    // segments: fifteen numbers each: parent, shortest, longest, joint, rest (3), axis (3), cone, low, high, pull,
    // radius.
    PyPointNetwork(const Numbers& segments, const std::vector<int>& clamped, bool planar)
        : planar_(planar), network_(read(segments), checked(clamped, int(segments.size() / 15)), planar) {
        for (std::size_t k = 0; k < segments.size(); k += 15)
            longest_.push_back(segments[k + 2]), radius_.push_back(segments[k + 14]);
    }

    nb::tuple run(nb::handle points_given, nb::handle targets_given, nb::handle step_given, nb::handle regions_given,
                  int cycles, double tolerance, double pull, double fading, int patience, double progress, double kick,
                  bool record) const {
        const std::size_t n = std::size_t(network_.points()), k = std::size_t(network_.clamps());
        const Input points(points_given, "points"), targets(targets_given, "targets"), step(step_given, "step"),
            regions(regions_given, "regions");
        if (points.ndim() != 2 || std::size_t(points.dims()[0]) != n || points.dims()[1] != 3)
            raise("ShapeError", "points have shape (n + 1, 3)");
        if (targets.ndim() != 2 || std::size_t(targets.dims()[0]) != k || targets.dims()[1] != 3)
            raise("ShapeError", "targets have shape (clamps, 3)");
        if (step.ndim() != 1 || std::size_t(step.dims()[0]) != n) raise("ShapeError", "one step for each point");
        if (regions.ndim() != 2 || regions.dims()[1] != 4) raise("ShapeError", "regions have shape (k, 4)");
        std::vector<Vector3<double>> p(n), posture(n), target(k);
        for (std::size_t i = 0; i < n; ++i) p[i] = three(points.data() + 3 * i);
        for (std::size_t i = 0; i < k; ++i) target[i] = three(targets.data() + 3 * i);
        const std::vector<Region> free = read_regions(regions);
        const PointSettings settings = {cycles, tolerance, pull, fading, patience, progress, kick, record};
        PointTrace trace;
        {
            const Released release;
            trace = relax(network_, p.data(), target.data(), step.data(), free, radius_, longest_, planar_, settings,
                          posture.data());
        }
        const npy_intp rows = npy_intp(trace.errors.size()), N = npy_intp(n);
        return nb::make_tuple(array_of(flat(p), {N, 3}), array_of(flat(posture), {N, 3}),
                              array_of(trace.points, {rows, rows ? N : 0, 3}),
                              array_of(trace.postures, {rows, rows ? N : 0, 3}), array_of(trace.errors, {rows}),
                              trace.cycles, trace.kicks, trace.error, trace.depth, trace.reached);
    }

    nb::tuple finish(nb::handle rest_given, nb::handle start_given, nb::handle targets_given, nb::handle regions_given,
                     int steps, double tolerance, int scattered, std::uint64_t seed, bool record) const {
        const std::size_t n = std::size_t(network_.points()), k = std::size_t(network_.clamps());
        const Input rest(rest_given, "rest"), start(start_given, "start"), targets(targets_given, "targets"),
            regions(regions_given, "regions");
        for (const Input* x : {&rest, &start})
            if (x->ndim() != 2 || std::size_t(x->dims()[0]) != n || x->dims()[1] != 3)
                raise("ShapeError", "points have shape (n + 1, 3)");
        if (targets.ndim() != 2 || std::size_t(targets.dims()[0]) != k || targets.dims()[1] != 3)
            raise("ShapeError", "targets have shape (clamps, 3)");
        if (regions.ndim() != 2 || regions.dims()[1] != 4) raise("ShapeError", "regions have shape (k, 4)");
        std::vector<Vector3<double>> from(n), begin(n), target(k);
        for (std::size_t i = 0; i < n; ++i)
            from[i] = three(rest.data() + 3 * i), begin[i] = three(start.data() + 3 * i);
        for (std::size_t i = 0; i < k; ++i) target[i] = three(targets.data() + 3 * i);
        const std::vector<Region> free = read_regions(regions);
        SearchResult found;
        {
            const Released release;
            found = search(network_, from.data(), begin.data(), target.data(), free, radius_,
                           {steps, tolerance, scattered, seed, record});
        }
        const npy_intp N = npy_intp(n), rows = npy_intp(found.postures.size() / (3 * n));
        return nb::make_tuple(array_of(flat(found.points), {N, 3}), array_of(found.postures, {rows, N, 3}), found.steps,
                              found.error, found.depth);
    }

  private:
    static Numbers flat(const std::vector<Vector3<double>>& x) {
        Numbers out;
        for (const auto& a : x) out.insert(out.end(), {a.x, a.y, a.z});
        return out;
    }
    static std::vector<Region> read_regions(const Input& x) {
        std::vector<Region> out;
        for (long i = 0; i < x.dims()[0]; ++i) out.push_back({three(x.data() + 4 * i), x.data()[4 * i + 3]});
        return out;
    }
    static std::vector<Segment> read(const Numbers& x) {
        if (x.empty() || x.size() % 15) raise("BadModel", "a segment has fifteen numbers");
        std::vector<Segment> segments;
        for (std::size_t k = 0; k < x.size(); k += 15) {
            const double* r = &x[k];
            if (!(r[0] >= 0 && r[0] <= double(k / 15)) || !(r[3] >= 0 && r[3] <= 2))
                raise("BadModel", "a segment's parent must come before it, and its joint be 0, 1 or 2");
            segments.push_back({int(r[0]), r[1], r[2], SegmentJoint(int(r[3])), three(r + 4), three(r + 7),
                                std::cos(r[10]), std::sin(r[10]), r[11], r[12], r[13]});
        }
        return segments;
    }
    static std::vector<int> checked(const std::vector<int>& clamped, int segments) {
        for (const int point : clamped)
            if (point < 1 || point > segments) raise("BadModel", "a clamped point does not exist");
        return clamped;
    }

    bool planar_;
    PointNetwork network_;
    Numbers longest_, radius_;
};

void bind_relaxation(nb::module_& m) {
    nb::class_<PyAngleNetwork>(m, "AngleNetwork", "The mean of multiple computations (MMC) over angles and distances.")
        .def(nb::init<const Numbers&, const std::vector<int>&, const std::vector<bool>&, const Numbers&>(),
             nb::arg("rows"), nb::arg("instead"), nb::arg("angular"), nb::arg("lengths"))
        .def("run", &PyAngleNetwork::run, nb::arg("start"), nb::arg("clamped"), nb::arg("low"), nb::arg("high"),
             nb::arg("removed"), nb::arg("noisy"), nb::arg("cycles"), nb::arg("tolerance"), nb::arg("parallel"),
             nb::arg("mean"), nb::arg("nearest"), nb::arg("least_side"), nb::arg("damping"), nb::arg("noise"),
             nb::arg("seed"), nb::arg("first_cycle"),
             nb::sig("def run(self, start: Array, clamped: Array, low: Array, high: Array, removed: str, noisy: str, "
                     "cycles: int, tolerance: float, "
                     "parallel: bool, mean: int, nearest: bool, least_side: float, damping: float, noise: float, seed: "
                     "int, first_cycle: int) "
                     "-> tuple[Array, Array, int, float]"))
        .def("disagreement", &PyAngleNetwork::disagreement, nb::arg("state"), nb::arg("nearest"), nb::arg("least_side"),
             nb::sig("def disagreement(self, state: Array, nearest: bool, least_side: float) -> float"));
    nb::class_<PyPointNetwork>(m, "PointNetwork",
                               "The mean of multiple computations (MMC) over the points of segments.")
        .def(nb::init<const Numbers&, const std::vector<int>&, bool>(), nb::arg("segments"), nb::arg("clamped"),
             nb::arg("planar"))
        .def("run", &PyPointNetwork::run, nb::arg("points"), nb::arg("targets"), nb::arg("step"), nb::arg("regions"),
             nb::arg("cycles"), nb::arg("tolerance"), nb::arg("pull"), nb::arg("fading"), nb::arg("patience"),
             nb::arg("progress"), nb::arg("kick"), nb::arg("record"),
             nb::sig("def run(self, points: Array, targets: Array, step: Array, regions: Array, cycles: int, "
                     "tolerance: float, pull: float, "
                     "fading: float, patience: int, progress: float, kick: float, record: bool) "
                     "-> tuple[Array, Array, Array, Array, Array, int, int, float, float, bool]"))
        .def("finish", &PyPointNetwork::finish, nb::arg("rest"), nb::arg("start"), nb::arg("targets"),
             nb::arg("regions"), nb::arg("steps"), nb::arg("tolerance"), nb::arg("scattered"), nb::arg("seed"),
             nb::arg("record"),
             nb::sig("def finish(self, rest: Array, start: Array, targets: Array, regions: Array, steps: int, "
                     "tolerance: float, scattered: int, "
                     "seed: int, record: bool) -> tuple[Array, Array, int, float, float]"));
}

}  // namespace limbik::bindings
