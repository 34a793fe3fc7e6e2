// Building a table of postures from random configurations.
//
// A configuration is drawn, its target looked up and the candidates corrected as in use. If the configuration is among
// the results, its sheet is known; if not, it becomes a new candidate. So a cell ends with about as many candidates as
// sheets of solutions pass through it, and with more where Newton's method needs more: near folds. No classification of
// the chain is needed: the sheets are those that the correction itself distinguishes.
//
// Then a polynomial is fitted to the configurations of each sheet. Where it does not fit, the cell is divided, down to
// `deepest`.
#pragma once

#include "../base/random.hpp"
#include "../linalg/cholesky.hpp"
#include "polish.hpp"
#include "posture_table.hpp"

namespace limbik::table {

struct TableOptions {
    std::uint64_t seed = 0;
    int order = 0, deepest = 0;  // of the polynomials; of the divisions of a cell
    double tolerance = 1e-3;     // root mean square error of a polynomial [m; directions count by the scale]
    long probe = 256;            // configurations that decide whether a cell is divided
    bool any_posture = false;    // redundant: any configuration of the target counts
};

// Nodes of the grid's cells in order, then those of divided cells (numbered from 0 here), and the sheets of the leaves.
struct BuiltTable {
    std::vector<std::int32_t> roots, parts;
    std::vector<std::uint32_t> sheets;  // of each leaf
    std::vector<float> models;
    // The configurations drawn, those that became candidates, and those of them from the second half of a cell's.
    long drawn = 0, added = 0, added_late = 0;
};

class TableBuilder {
  public:
    TableBuilder(const Reduction& reduction, const Polish& polish, const ScalarChain& chain, const ChainFrame& frame,
                 double scale, std::vector<double> low, std::vector<double> high, const TableOptions& options)
        : reduction_(reduction), polish_(polish), chain_(chain), frame_(frame), scale_(scale), low_(std::move(low)),
          high_(std::move(high)), options_(options), n_(reduction.n()), inner_(reduction.inner()),
          terms_(terms_of(reduction.numbers(), options.order)) {}

    // Configuration number k; a function of the seed and k alone.
    void draw(std::uint64_t k, double* q) const {
        for (int j = 0; j < n_; ++j) {
            const std::size_t i = std::size_t(j);
            q[j] = low_[i] + (high_[i] - low_[i]) * counter_random(options_.seed * STREAMS + SAMPLING + i, k);
        }
    }
    Reduced reduced_at(const double* q) const {
        return reduction_.reduced(forward_chain_noinline<false, double>(chain_, frame_, q, nullptr));
    }

    // Build one cell of the grid from the configurations with these numbers, which lie in it.
    void build_cell(const CellTree& tree, const std::uint32_t* numbers, long count, BuiltTable& out) const {
        std::vector<Sample> all;
        all.reserve(std::size_t(count));
        for (long k = 0; k < count; ++k) {
            Sample one{numbers[k], {}, -1};
            double q[POSTURE_JOINTS];
            draw(one.number, q);
            tree.root(reduced_at(q).numbers, one.inside);
            all.push_back(one);
        }
        out.drawn += count;
        const std::size_t root = out.roots.size();
        out.roots.push_back(0);
        const std::int32_t node = build_node(tree, all, 0, out);
        out.roots[root] = node;
    }

  private:
    static constexpr std::uint64_t STREAMS = 64, SAMPLING = 1 << 20;
    static constexpr double FOUND = 1e-4;  // closer configurations are equal [rad, or parts of the scale]
    static constexpr double RIDGE = 1e-9;  // regularises the fit of few configurations

    struct Sample {
        std::uint32_t number;
        double inside[CellTree::MOST_NUMBERS];  // local coordinates in the cell, 0 to 1
        int sheet;
    };
    struct Sheets {
        std::vector<double> starts;   // inner joints
        std::vector<int> fold_sides;  // of the folds
        std::vector<float> models;
        int count = 0;
        double worst = 0.0;
        long added = 0, added_late = 0;
    };

    // Build the subtree of a cell; returns its node.
    std::int32_t build_node(const CellTree& tree, std::vector<Sample>& samples, int depth, BuiltTable& out) const {
        const long count = long(samples.size());
        if (depth < options_.deepest && count >= 2 * options_.probe) {
            std::vector<Sample> some(samples.begin(), samples.begin() + options_.probe);
            if (find_sheets(some).worst > options_.tolerance) return divide(tree, samples, depth, out);
        }
        const Sheets sheets = find_sheets(samples);
        if (depth < options_.deepest && sheets.worst > options_.tolerance && count >= 2 * options_.probe)
            return divide(tree, samples, depth, out);
        out.added += sheets.added, out.added_late += sheets.added_late;
        out.models.insert(out.models.end(), sheets.models.begin(), sheets.models.end());
        out.sheets.push_back(std::uint32_t(sheets.count));
        return std::int32_t(out.sheets.size() - 1);
    }
    std::int32_t divide(const CellTree& tree, std::vector<Sample>& samples, int depth, BuiltTable& out) const {
        const std::size_t parts = std::size_t(1) << tree.numbers, first = out.parts.size();
        std::vector<std::vector<Sample>> shares(parts);
        for (Sample& sample : samples) {
            const int part = tree.part(sample.inside);
            shares[std::size_t(part)].push_back(sample);
        }
        samples.clear();
        samples.shrink_to_fit();
        out.parts.resize(first + parts);
        for (std::size_t k = 0; k < parts; ++k) {
            const std::int32_t node = build_node(tree, shares[k], depth + 1, out);
            out.parts[first + k] = node;
        }
        return -1 - std::int32_t(first);
    }

    Sheets find_sheets(std::vector<Sample>& samples) const {
        Sheets sheets;
        const long half = long(samples.size()) / 2;
        for (long k = 0; k < long(samples.size()); ++k) {
            Sample& sample = samples[std::size_t(k)];
            double q[POSTURE_JOINTS];
            draw(sample.number, q);
            sample.sheet = look_up(sheets, q);
            if (sample.sheet >= 0) continue;
            ++sheets.added, sheets.added_late += k >= half;
            if (sheets.count == MOST_SHEETS) continue;
            sample.sheet = sheets.count++;
            sheets.starts.insert(sheets.starts.end(), q + reduction_.first(), q + reduction_.first() + inner_);
            sheets.fold_sides.push_back(fold_side_of(q));
        }
        fit(sheets, samples);
        return sheets;
    }

    // A polynomial covers one side of a fold only; a constant may start on either.
    int fold_side_of(const double* q) const { return options_.order == 0 ? 0 : polish_.fold_side(q); }

    // The sheet from which a configuration is found, -1 for none.
    int look_up(const Sheets& sheets, const double* q) const {
        if (sheets.count == 0) return -1;
        const Pose<double> target = forward_chain_noinline<false, double>(chain_, frame_, q, nullptr);
        double candidates[MOST_SHEETS * 4 * POSTURE_JOINTS];
        int which[MOST_SHEETS * 4];
        const auto start = [&](long sheet, int joint) { return sheets.starts[std::size_t(sheet * inner_ + joint)]; };
        const int total = completed(reduction_, reduction_.reduced(target), sheets.count, start, candidates);
        const int kept = polished(polish_, n_, target, candidates, total, which);
        const int side = fold_side_of(q);
        for (int k = 0; k < kept; ++k) {
            const double* found = candidates + k * n_;
            const int sheet = which[k] / reduction_.branches();
            if (sheets.fold_sides[std::size_t(sheet)] != side) continue;
            if (options_.any_posture ? keeps_limits(found) : is_near(found, q)) return sheet;
        }
        return -1;
    }
    double gap(int joint, double a, double b) const {
        const bool revolute = chain_.joints[std::size_t(joint)].kind == Kind::revolute;
        return joint_gap(revolute, a - b, scale_);
    }
    bool is_near(const double* a, const double* b) const {
        for (int j = 0; j < n_; ++j)
            if (!(std::fabs(gap(j, a[j], b[j])) < FOUND)) return false;
        return true;
    }
    bool keeps_limits(const double* q) const {
        for (int j = 0; j < n_; ++j) {
            const bool revolute = chain_.joints[std::size_t(j)].kind == Kind::revolute;
            const double low = low_[std::size_t(j)], high = high_[std::size_t(j)], middle = 0.5 * (low + high);
            const double x = revolute ? middle + wrap(q[j] - middle) : q[j];
            if (x < low || x > high) return false;
        }
        return true;
    }

    // Fit a polynomial to the configurations of each sheet.
    void fit(Sheets& sheets, const std::vector<Sample>& samples) const {
        sheets.models.assign(std::size_t(sheets.count * inner_ * terms_), 0.0f);
        std::vector<std::vector<const Sample*>> own(static_cast<std::size_t>(sheets.count));
        for (const Sample& sample : samples)
            if (sample.sheet >= 0) own[std::size_t(sample.sheet)].push_back(&sample);
        for (int s = 0; s < sheets.count; ++s) fit_sheet(sheets, s, own[std::size_t(s)]);
    }
    void fit_sheet(Sheets& sheets, int s, const std::vector<const Sample*>& own) const {
        const double* start = sheets.starts.data() + s * inner_;
        float* model = sheets.models.data() + s * inner_ * terms_;
        for (int j = 0; j < inner_; ++j) model[j * terms_] = float(start[j]);
        if (options_.order == 0 || long(own.size()) < 2 * terms_) return;
        const int m = terms_, numbers = reduction_.numbers(), first = reduction_.first();
        std::vector<double> a(std::size_t(m * m), 0.0), b(std::size_t(m * inner_), 0.0);
        for (const Sample* sample : own) {
            double at[CellTree::MOST_NUMBERS], terms[MOST_TREE_TERMS], q[POSTURE_JOINTS];
            for (int i = 0; i < numbers; ++i) at[i] = 2.0 * sample->inside[i] - 1.0;
            terms_at(at, numbers, options_.order, terms);
            draw(sample->number, q);
            for (int r = 0; r < m; ++r) {
                for (int c = 0; c < m; ++c) a[std::size_t(r * m + c)] += terms[r] * terms[c];
                for (int j = 0; j < inner_; ++j) {
                    const bool revolute = chain_.joints[std::size_t(first + j)].kind == Kind::revolute;
                    const double off = q[first + j] - start[j];
                    b[std::size_t(j * m + r)] += terms[r] * (revolute ? wrap(off) : off);
                }
            }
        }
        for (int r = 0; r < m; ++r) a[std::size_t(r * m + r)] += RIDGE * double(own.size());
        const FullRows rows{m, m};
        if (!cholesky_factor(rows, a.data())) return;
        for (int j = 0; j < inner_; ++j) {
            double* side = b.data() + j * m;
            cholesky_solve(rows, a.data(), side);
            for (int r = 0; r < m; ++r) model[j * m + r] = float(side[r] + (r == 0 ? start[j] : 0.0));
        }
        double sum = 0.0;
        for (const Sample* sample : own) sum += squared_error(model, *sample);
        sheets.worst = std::max(sheets.worst, std::sqrt(sum / double(own.size())));
    }

    // The squared error of a modelled configuration's coordinates [m^2; directions count by the scale].
    double squared_error(const float* model, const Sample& sample) const {
        const int numbers = reduction_.numbers(), place = reduction_.revolute_first() ? 2 : 3;
        double at[CellTree::MOST_NUMBERS], terms[MOST_TREE_TERMS], q[POSTURE_JOINTS] = {}, wanted[POSTURE_JOINTS],
                                                                   sum = 0.0;
        for (int i = 0; i < numbers; ++i) at[i] = 2.0 * sample.inside[i] - 1.0;
        terms_at(at, numbers, options_.order, terms);
        for (int j = 0; j < inner_; ++j)
            for (int r = 0; r < terms_; ++r) q[reduction_.first() + j] += double(model[j * terms_ + r]) * terms[r];
        draw(sample.number, wanted);
        const Reduced is = reduction_.of_posture(q), should = reduced_at(wanted);
        for (int i = 0; i < numbers; ++i) {
            const double off = is.numbers[i] - should.numbers[i];
            const double error = i < place ? off : scale_ * (reduction_.is_angle(i) ? wrap(off) : off);
            sum += error * error;
        }
        return sum;
    }

    const Reduction& reduction_;
    const Polish& polish_;
    const ScalarChain& chain_;
    const ChainFrame& frame_;
    double scale_;
    std::vector<double> low_, high_;
    TableOptions options_;
    int n_, inner_, terms_;
};

}  // namespace limbik::table
