// A table of postures: cells in the numbers that are left of a target (reduction.hpp), and for each cell a model of the inner
// joints on every sheet of solutions that passes through it. What it offers is near, not exact.
#pragma once

#include "candidates.hpp"
#include "cell_tree.hpp"
#include "reduction.hpp"

namespace limbik {

// Sheets of one cell, at the most.
inline constexpr int MOST_SHEETS = 96;

// The arrays of a table, wherever they are kept.
struct PostureModels {
    CellTree tree;
    int order = 0;                           // of the polynomials
    const std::uint32_t* begin = nullptr;    // leaf: its first sheet; one more at the end
    const float* models = nullptr;           // sheet, inner joint, term
};

// Whole postures from inner joints, `start(sheet, joint)`, for a target: n numbers each, in the sheets' order, a wrist's two ways
// one after the other. Returns how many.
template <class Start>
int completed(const Reduction& reduction, const Reduced& at, long sheets, const Start& start, double* q) {
    constexpr int W = width<Wide>, MOST_JOINTS = 16;
    const int n = reduction.n(), inner = reduction.inner(), first = reduction.first(), ways = reduction.ways();
    const long total = sheets * ways;
    const Pose<Wide> wanted = broadcast<Wide>(at.pose);
    for (long from = 0; from < total; from += W) {
        Wide lanes[MOST_JOINTS], way;
        for (int i = 0; i < W; ++i) {
            const long k = std::min(from + i, total - 1);
            for (int j = 0; j < inner; ++j) set_lane(lanes[first + j], i, start(k / ways, j));
            set_lane(way, i, k % ways ? -1.0 : 1.0);
        }
        reduction.complete<Wide>(wanted, Wide(at.side), way, lanes);
        for (int i = 0; i < W && from + i < total; ++i)
            for (int j = 0; j < n; ++j) q[(from + i) * n + j] = lane(lanes[j], i);
    }
    return int(total);
}

class PostureTable final : public Candidates {
  public:
    PostureTable(const Reduction& reduction, const PostureModels& models) : reduction_(reduction), models_(models) {}

    int n() const override { return reduction_.n(); }
    int most() const override { return MOST_SHEETS * reduction_.ways(); }
    bool in_pairs() const override { return reduction_.tail() == Tail::wrist; }
    const PostureModels& models() const { return models_; }

    int find(const Pose<double>& target, double* q) const override {
        const Reduced at = reduction_.reduced(target);
        double inside[CellTree::MOST_NUMBERS], terms[MOST_TREE_TERMS];
        const long leaf = models_.tree.leaf(at.numbers, inside);
        for (int k = 0; k < models_.tree.numbers; ++k) inside[k] = std::fmin(std::fmax(inside[k], -1.0), 1.0);
        const int count = terms_at(inside, models_.tree.numbers, models_.order, terms), inner = reduction_.inner();
        const long begin = models_.begin[leaf];
        const auto start = [&](long sheet, int joint) {
            const float* m = models_.models + ((begin + sheet) * inner + joint) * count;
            double x = 0.0;
            for (int t = 0; t < count; ++t) x = madd(double(m[t]), terms[t], x);
            return x;
        };
        return completed(reduction_, at, long(models_.begin[leaf + 1]) - begin, start, q);
    }

  private:
    const Reduction& reduction_;
    PostureModels models_;
};

}  // namespace limbik
