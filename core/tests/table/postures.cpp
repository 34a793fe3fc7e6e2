// Tables of postures: configurations of the training set are found again, everything verified is a solution by the
// reference's forward kinematics, and no target causes a read outside the arrays.

#include "../support/arms.hpp"

#include "../../table/seed_candidates.hpp"
#include "../../table/table_builder.hpp"

namespace limbik::test {
namespace {

struct SmallTable {
    std::vector<std::int32_t> nodes;
    std::vector<std::uint32_t> begin;
    BuiltTable built;
    CellTree tree;
};

inline SmallTable small_table(const Reduction& reduction, const TableBuilder& builder, int bins,
                              std::uint32_t samples) {
    SmallTable out;
    out.tree.numbers = reduction.numbers();
    double low[CellTree::MOST_NUMBERS], high[CellTree::MOST_NUMBERS];
    std::fill_n(low, CellTree::MOST_NUMBERS, 1e300), std::fill_n(high, CellTree::MOST_NUMBERS, -1e300);
    std::vector<Reduced> all;
    for (std::uint32_t k = 0; k < samples; ++k) {
        double q[POSTURE_JOINTS];
        builder.draw(k, q);
        all.push_back(builder.reduced_at(q));
        for (int i = 0; i < out.tree.numbers; ++i)
            low[i] = std::min(low[i], all.back().numbers[i]), high[i] = std::max(high[i], all.back().numbers[i]);
    }
    for (int i = 0; i < out.tree.numbers; ++i) {
        out.tree.bins[i] = bins, out.tree.low[i] = low[i];
        out.tree.scale[i] = high[i] > low[i] ? bins / (high[i] - low[i]) : 0.0;
    }
    const long roots = out.tree.roots();
    std::vector<std::vector<std::uint32_t>> own(static_cast<std::size_t>(roots));
    for (std::uint32_t k = 0; k < samples; ++k) {
        double inside[CellTree::MOST_NUMBERS];
        own[std::size_t(out.tree.root(all[k].numbers, inside))].push_back(k);
    }
    for (const auto& numbers : own) builder.build_cell(out.tree, numbers.data(), long(numbers.size()), out.built);
    const auto moved = [&](std::int32_t node) { return node >= 0 ? node : std::int32_t(node - roots); };
    for (std::int32_t node : out.built.roots) out.nodes.push_back(moved(node));
    for (std::int32_t node : out.built.parts) out.nodes.push_back(moved(node));
    out.begin.push_back(0);
    for (std::uint32_t sheets : out.built.sheets) out.begin.push_back(out.begin.back() + sheets);
    out.tree.nodes = out.nodes.data();
    return out;
}

// Every verified configuration is a solution, inside the limits or reported as outside.
inline void check_postures(const Mechanism& m, const Pose<double>& target, const Postures& found,
                           const BranchOptions& options) {
    for (int k = 0; k < found.count + found.outside; ++k) {
        const std::vector<double> q(found.found[k].q, found.found[k].q + m.n);
        const Rigid T = reference_pose(m, m.frames[0], q), wanted = rigid(target);
        HOLDS(distance(T.p, wanted.p) <= 1.1 * options.tolerances.position, distance(T.p, wanted.p));
        HOLDS(distance(T.R, wanted.R) <= 3.0 * options.tolerances.rotation, distance(T.R, wanted.R));
        bool inside = true;
        for (int j = 0; j < m.n; ++j)
            inside = inside && q[std::size_t(j)] >= options.lower[j] && q[std::size_t(j)] <= options.upper[j];
        HOLDS(inside == (k < found.count), inside, k, found.count);
    }
}

inline void check_tables(std::uint64_t seed) {
    Random random(seed);
    const int shape = random.integer(0, 2);
    Mechanism m =
        shape == 0 ? arm_with_group(random, true, 3) : random_chain(random, random.integer(3, POSTURE_JOINTS));
    m.frames.resize(1);
    m.frames[0].element = m.n - 1;
    const Kinematics k(m);
    const ScalarChain& chain = *k.chain;
    const ChainFrame& frame = chain.frames[0];
    const double scale = 1.0 + 0.5 * m.n;
    const Reduction reduction(chain, frame, scale);
    HOLDS(shape != 0 || reduction.tail() == Tail::wrist, int(reduction.tail()));
    if (reduction.inner() < 1) return;
    std::vector<double> low(std::size_t(m.n), -2.0), high(std::size_t(m.n), 2.0);
    const auto polish = make_polish(reduction, reduction.tail() == Tail::wrist, chain, frame,
                                    StepSettings{0.5 * scale, DAMPING, LARGEST_STEP});
    const int order = random.integer(0, 2);
    const TableOptions settings{seed, order, random.integer(0, 2), 1e-2, 16, m.n > 6};
    const TableBuilder builder(reduction, *polish, chain, frame, scale, low, high, settings);
    const std::uint32_t samples = 120;
    const SmallTable made = small_table(reduction, builder, random.integer(1, 3), samples);
    const PostureTable table(reduction, {made.tree, order, made.begin.data(), made.built.models.data()});
    const BranchOptions options{low.data(), high.data(), {1e-7, 1e-7}};
    std::vector<double> q(2 * std::size_t(table.most()) * std::size_t(m.n)), home(std::size_t(m.n), 0.0);
    std::vector<int> which(2 * std::size_t(table.most()));
    int found_again = 0;
    for (int trial = 0; trial < 24; ++trial) {
        double drawn[POSTURE_JOINTS];
        builder.draw(std::uint64_t(trial), drawn);
        Pose<double> target = forward_chain<false, double>(chain, frame, drawn, nullptr);
        if (trial >= 16)
            target.origin = scaled(target.origin, trial == 16 ? 0.0 : trial == 17 ? 1e6 : random.uniform(0.0, 3.0));
        const int offered = table.find(target, q.data());
        HOLDS(offered >= 0 && offered <= table.most(), offered);
        if (offered == 0) continue;
        const int kept = polished(*polish, m.n, target, q.data(), offered, which.data());
        Postures postures;
        polish->verify(target, q.data(), kept, home.data(), options, postures);
        check_postures(m, target, postures, options);
        found_again += trial < 16 && postures.count > 0;
    }
    HOLDS(order > 0 || found_again >= 12, found_again, m.n, order);
}

LAW("configurations of the training set are found again, and all that is found is a solution", 40, check_tables);

}  // namespace
}  // namespace limbik::test
