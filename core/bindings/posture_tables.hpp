// Tables of postures for Python: how they are built, and how they are opened, with every index checked.
#pragma once

#include <optional>

#include "in_place_array.hpp"
#include "kernel.hpp"

#include "../table/seed_candidates.hpp"
#include "../table/table_builder.hpp"
#include "limits.hpp"
#include "targets.hpp"

namespace limbik::bindings {

inline const ScalarChain& chain_for_table(const Kernel& kernel) {
    if (!kernel.is_scalar_chain() || kernel.kinematics().n() > POSTURE_JOINTS)
        raise("BadOption", "a table is for a chain of up to " + std::to_string(POSTURE_JOINTS) +
                               " revolute or prismatic joints without mimic joints; '" + kernel.name() +
                               "' is not one");
    return *kernel.kinematics().chain;
}
inline const ChainFrame& tip_of(const Kernel& kernel) {
    return chain_for_table(kernel).frames[std::size_t(kernel.tip())];
}

inline CellTree tree_from(const Reduction& reduction, const std::vector<int>& bins, const Numbers& low,
                          const Numbers& high) {
    CellTree tree;
    const std::size_t numbers = std::size_t(reduction.numbers());
    if (bins.size() != numbers || low.size() != numbers || high.size() != numbers)
        raise("BadFile", "the table's cells have " + std::to_string(bins.size()) + " numbers; this chain needs " +
                             std::to_string(numbers));
    tree.numbers = int(numbers);
    double cells = 1.0;
    for (std::size_t k = 0; k < numbers; ++k) {
        const double span = high[k] - low[k];
        if (bins[k] < 1 || !std::isfinite(low[k]) || !std::isfinite(span) || span < 0.0)
            raise("BadFile", "the table's cells have no finite size");
        tree.bins[k] = bins[k], tree.low[k] = low[k], tree.scale[k] = span > 0.0 ? bins[k] / span : 0.0;
        cells *= bins[k];
    }
    if (cells > 1e8) raise("BadOption", "the table has more than 1e8 cells: use fewer bins");
    return tree;
}

// The reduced coordinates of a chain's targets.
class TableLayout {
  public:
    TableLayout(const Kernel& kernel, double scale) : reduction(chain_for_table(kernel), tip_of(kernel), scale) {}
    Reduction reduction;
};

class PostureTableFile final : public Candidates {
  public:
    PostureTableFile(const Kernel& kernel, double scale, const std::vector<int>& bins, const Numbers& low,
                     const Numbers& high, int order, nb::handle nodes, nb::handle begin, nb::handle models)
        : reduction_(chain_for_table(kernel), tip_of(kernel), scale), nodes_(nodes, NPY_INT32, "nodes"),
          begin_(begin, NPY_UINT32, "leaves"), models_(models, NPY_FLOAT32, "models") {
        if (order < 0 || order > 2) raise("BadFile", "the order of the table's polynomials must be 0, 1 or 2");
        PostureModels kept{tree_from(reduction_, bins, low, high), order, begin_.data(), models_.data()};
        kept.tree.nodes = nodes_.data();
        check(kept);
        table_.emplace(reduction_, kept);
    }
    PostureTableFile(const PostureTableFile&) = delete;

    int n() const override { return table_->n(); }
    int most() const override { return table_->most(); }
    bool in_pairs() const override { return table_->in_pairs(); }
    int find(const Pose<double>& target, double* q) const override { return table_->find(target, q); }
    int find_near(const Pose<double>& target, const double* seed, int few, double* q) const override {
        return table_->find_near(target, seed, few, q);
    }
    const PostureModels& models() const { return table_->models(); }

  private:
    // Check a file that anyone may have written: no index leads outside, and every descent ends.
    void check(const PostureModels& kept) const {
        const long roots = kept.tree.roots(), parts = 1L << kept.tree.numbers, leaves = begin_.size() - 1;
        if (nodes_.size() < roots || leaves < 1) raise("BadFile", "the table's cells are incomplete");
        for (long k = 0; k < nodes_.size(); ++k) {
            const long node = nodes_[k], first = -(node + 1);
            if (node >= 0 ? node >= leaves : first < roots || first <= k || first + parts > nodes_.size())
                raise("BadFile", "a cell of the table refers to a cell that does not exist");
        }
        for (long k = 0; k < leaves; ++k)
            if (begin_[k + 1] < begin_[k] || begin_[k + 1] - begin_[k] > std::uint32_t(MOST_SHEETS))
                raise("BadFile", "the leaves of the table overlap, or one has too many sheets");
        const long terms = terms_of(kept.tree.numbers, kept.order);
        if (begin_[0] != 0 || models_.size() != long(begin_[leaves]) * reduction_.inner() * terms)
            raise("BadFile", "the number of the table's models does not fit its leaves");
        for (long k = 0; k < models_.size(); ++k)
            if (!std::isfinite(models_[k])) raise("BadFile", "the table's models hold NaN or infinity");
    }

    Reduction reduction_;
    InPlaceArray<std::int32_t> nodes_;
    InPlaceArray<std::uint32_t> begin_;
    InPlaceArray<float> models_;
    std::optional<PostureTable> table_;
};

// Candidates from the seed table that every chain has.
class SeedCandidatesOf final : public Candidates {
  public:
    SeedCandidatesOf(const Kernel& kernel, const LazySeedTable& seeds, double scale, const Numbers& low,
                     const Numbers& high)
        : reduction_(chain_for_table(kernel), tip_of(kernel), scale), seeds_(reduction_, seeds, low, high) {
        if (low.size() != std::size_t(reduction_.n()) || high.size() != low.size())
            raise("BadModel", "the parts of the solver differ in length");
    }
    SeedCandidatesOf(const SeedCandidatesOf&) = delete;
    int n() const override { return seeds_.n(); }
    int most() const override { return seeds_.most(); }
    bool in_pairs() const override { return seeds_.in_pairs(); }
    int find(const Pose<double>& target, double* q) const override { return seeds_.find(target, q); }

  private:
    Reduction reduction_;
    SeedCandidates seeds_;
};

class PostureTableBuilder {
  public:
    PostureTableBuilder(const Kernel& kernel, double scale, const Numbers& low, const Numbers& high, std::uint64_t seed,
                        int order, int deepest, double tolerance, long probe)
        : reduction_(chain_for_table(kernel), tip_of(kernel), scale) {
        const ScalarChain& chain = chain_for_table(kernel);
        const std::size_t n = chain.joints.size();
        if (low.size() != n || high.size() != n) raise("BadModel", "the parts of the table differ in length");
        if (reduction_.inner() < 1)
            raise("BadOption", "'" + kernel.name() + "' has too few joints for a table: no inner joints remain");
        if (order < 0 || order > 2 || deepest < 0 || deepest > CellTree::DEEPEST || !(tolerance > 0.0) || probe < 8)
            raise("BadOption", "a table has order 0, 1 or 2, cells divided up to " + std::to_string(CellTree::DEEPEST) +
                                   " times, a tolerance above 0 and a look of at least 8 postures");
        const TableOptions options{seed, order, deepest, tolerance, probe, int(n) > 6};
        polish_ = make_polish(reduction_, reduction_.tail() == Tail::wrist, chain, tip_of(kernel),
                              StepSettings{0.5 * scale, DAMPING, LARGEST_STEP});
        builder_.emplace(reduction_, *polish_, chain, tip_of(kernel), scale, low, high, options);
    }
    PostureTableBuilder(const PostureTableBuilder&) = delete;

    int numbers() const { return reduction_.numbers(); }

    // (count, n)
    nb::object draw(std::uint64_t first, long count) const {
        const npy_intp rows = count;
        double* q;
        nb::object array = new_array(&rows, 1, {reduction_.n()}, &q);
        for (long k = 0; k < count; ++k) builder_->draw(first + std::uint64_t(k), q + k * reduction_.n());
        return array;
    }
    // The reduced coordinates of drawn configurations, (count, numbers).
    nb::object places(std::uint64_t first, long count) const {
        const npy_intp rows = count;
        double* out;
        nb::object array = new_array(&rows, 1, {numbers()}, &out);
        const Released release;
        for (long k = 0; k < count; ++k) {
            double q[POSTURE_JOINTS];
            builder_->draw(first + std::uint64_t(k), q);
            std::copy_n(builder_->reduced_at(q).numbers, numbers(), out + k * numbers());
        }
        return array;
    }
    // The grid cell of each drawn configuration, (count,).
    nb::object cells(const std::vector<int>& bins, const Numbers& low, const Numbers& high, std::uint64_t first,
                     long count) const {
        const CellTree tree = tree_from(reduction_, bins, low, high);
        const npy_intp rows = count;
        nb::object array = nb::steal(PyArray_SimpleNew(1, &rows, NPY_INT32));
        auto* out = data_of<std::int32_t>(array);
        const Released release;
        for (long k = 0; k < count; ++k) {
            double q[POSTURE_JOINTS], inside[CellTree::MOST_NUMBERS];
            builder_->draw(first + std::uint64_t(k), q);
            out[k] = std::int32_t(tree.root(builder_->reduced_at(q).numbers, inside));
        }
        return array;
    }

    // Build cells one after the other, from configurations numbers[begin[k]] to numbers[begin[k + 1] - 1]. Returns
    // (roots, parts, sheets, models, drawn, added, added_late), see BuiltTable.
    nb::tuple build_cells(const std::vector<int>& bins, const Numbers& low, const Numbers& high, nb::handle begin,
                          nb::handle numbers) const {
        const CellTree tree = tree_from(reduction_, bins, low, high);
        const InPlaceArray<std::int64_t> from(begin, NPY_INT64, "places");
        const InPlaceArray<std::uint32_t> which(numbers, NPY_UINT32, "postures");
        for (long k = 0; k + 1 < from.size(); ++k)
            if (from[k] < 0 || from[k + 1] < from[k] || from[k + 1] > which.size())
                raise("BadOption", "the postures of the cells are not in order");
        BuiltTable built;
        for (long k = 0; k + 1 < from.size(); ++k) {
            {
                const Released release;
                builder_->build_cell(tree, which.data() + from[k], from[k + 1] - from[k], built);
            }
            if (PyErr_CheckSignals() != 0) throw nb::python_error();
        }
        return nb::make_tuple(array_of(built.roots, NPY_INT32), array_of(built.parts, NPY_INT32),
                              array_of(built.sheets, NPY_UINT32), array_of(built.models, NPY_FLOAT32), built.drawn,
                              built.added, built.added_late);
    }

  private:
    Reduction reduction_;
    std::unique_ptr<Polish> polish_;
    std::optional<TableBuilder> builder_;
};

}  // namespace limbik::bindings
