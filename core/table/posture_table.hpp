// A table of postures (configurations): cells over the reduced coordinates of a target (reduction.hpp), and in each
// cell a model of the inner joints for every sheet of solutions. Its candidates are approximate.
#pragma once

#include "../base/least_few.hpp"
#include "candidates.hpp"
#include "cell_tree.hpp"
#include "reduction.hpp"

namespace limbik::table {

// The most sheets of one cell.
inline constexpr int MOST_SHEETS = 96;

// The arrays of a table.
struct PostureModels {
    CellTree tree;
    int order = 0;                         // of the polynomials
    const std::uint32_t* begin = nullptr;  // the first sheet of each leaf; one more at the end
    const float* models = nullptr;         // sheet, inner joint, term
};

// Complete configurations from inner joints, `start(sheet, joint)`, for a target: n numbers each, in the sheets' order,
// a wrist's two branches in succession. Returns how many.
template <class Start>
int completed(const Reduction& reduction, const Reduced& at, long sheets, const Start& start, double* q) {
    constexpr int W = width<Wide>, MOST_JOINTS = 16;
    const int n = reduction.n(), inner = reduction.inner(), first = reduction.first(), branches = reduction.branches();
    const long total = sheets * branches;
    const Pose<Wide> wanted = broadcast<Wide>(at.pose);
    double alternating[W];
    for (int i = 0; i < W; ++i) alternating[i] = i % branches ? -1.0 : 1.0;
    const Wide branch = load_lanes<W>(alternating);  // a register holds whole pairs
    for (long from = 0; from < total; from += W) {
        const int count = int(std::min<long>(W, total - from));
        double starts[W * MOST_JOINTS];
        for (int i = 0; i < count; ++i) {
            const long sheet = (from + i) / branches;
            for (int j = 0; j < inner; ++j)
                starts[i * inner + j] = i % branches ? starts[(i - 1) * inner + j] : start(sheet, j);
        }
        Wide lanes[MOST_JOINTS];
        load_rows(starts, inner, count, lanes + first);
        reduction.complete<Wide>(wanted, Wide(at.azimuth), branch, lanes);
        store_rows(lanes, n, count, q + from * n, n);
    }
    return int(total);
}

class PostureTable final : public Candidates {
  public:
    PostureTable(const Reduction& reduction, const PostureModels& models) : reduction_(reduction), models_(models) {}

    int n() const override { return reduction_.n(); }
    int most() const override { return MOST_SHEETS * reduction_.branches(); }
    bool in_pairs() const override { return reduction_.tail() == Tail::wrist; }
    const PostureModels& models() const { return models_; }

    int find(const Pose<double>& target, double* q) const override {
        const Reduced at = reduction_.reduced(target);
        const Leaf leaf(*this, at);
        return completed(
            reduction_, at, leaf.sheets, [&](long sheet, int joint) { return leaf.value(sheet, joint); }, q);
    }
    // The sheets whose inner joints are closest to the seed's.
    int find_near(const Pose<double>& target, const double* seed, int few, double* q) const override {
        const Reduced at = reduction_.reduced(target);
        const Leaf leaf(*this, at);
        const int inner = reduction_.inner(), most = std::min(MOST_NEAR, few / reduction_.branches());
        LeastFew<MOST_NEAR> best(most);
        for (long sheet = 0; sheet < leaf.sheets; ++sheet) {
            double far = 0.0;
            for (int j = 0; j < inner; ++j)
                far = std::max(far, gap(j, leaf.value(sheet, j) - seed[reduction_.first() + j]));
            best.offer(far, sheet);
        }
        return completed(
            reduction_, at, best.count(), [&](long k, int joint) { return leaf.value(best.index(int(k)), joint); }, q);
    }

  private:
    static constexpr int MOST_NEAR = 8;

    // The sheets of the cell of a target.
    struct Leaf {
        const float* models;
        double terms[MOST_TREE_TERMS];
        int count, inner;
        long sheets;

        Leaf(const PostureTable& of, const Reduced& at) : inner(of.reduction_.inner()) {
            const PostureModels& m = of.models_;
            double inside[CellTree::MOST_NUMBERS];
            const long leaf = m.tree.leaf(at.numbers, inside);
            for (int k = 0; k < m.tree.numbers; ++k) inside[k] = std::fmin(std::fmax(inside[k], -1.0), 1.0);
            count = terms_at(inside, m.tree.numbers, m.order, terms);
            models = m.models + long(m.begin[leaf]) * inner * count;
            sheets = long(m.begin[leaf + 1]) - long(m.begin[leaf]);
        }
        double value(long sheet, int joint) const {
            const float* m = models + (sheet * inner + joint) * count;
            double x = 0.0;
            for (int t = 0; t < count; ++t) x = madd(double(m[t]), terms[t], x);
            return x;
        }
    };
    // The distance of two values of an inner joint, up to 2-pi copies.
    double gap(int joint, double difference) const {
        const bool revolute = reduction_.bare().joints[std::size_t(reduction_.first() + joint)].kind == Kind::revolute;
        return std::fabs(revolute ? quick_wrap(difference) : difference);
    }

    const Reduction& reduction_;
    PostureModels models_;
};

}  // namespace limbik::table
