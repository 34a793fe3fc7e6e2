// How a table of postures is made: it is shown random postures, and learns those that it does not find.
//
// A posture is drawn, its target looked up and the candidates corrected as they will be later. If the posture is among
// what comes out, the sheet it lies on is known; if not, it becomes a candidate itself. So a cell ends with about as
// many candidates as sheets pass through it, and with more where Newton's method needs more: near folds. Nothing has to
// be known about the chain, and no classification is needed: the sheets are those of the method that will use them.
//
// Then a polynomial is fitted to the postures of each sheet. Where it does not fit, the cell is divided, as often as is
// allowed.
#pragma once

#include "../base/random.hpp"
#include "../linalg/elimination.hpp"
#include "polish.hpp"
#include "posture_table.hpp"

namespace limbik::table {

struct Lessons {
    std::uint64_t seed = 0;
    int order = 0, deepest = 0;  // of polynomials; how often a cell may be divided
    double tolerance = 1e-3;     // what a polynomial may be off, root mean square [m; directions count by the scale]
    long look = 256;             // so many postures decide whether a cell is divided
    bool any_posture = false;    // a joint too many: another posture will do as well
};

// What was grown: nodes of the cells in order, then those of divided ones (numbered from 0 here), and leaves with their
// sheets.
struct Grown {
    std::vector<std::int32_t> roots, parts;
    std::vector<std::uint32_t> sheets;  // of each leaf
    std::vector<float> models;
    long shown = 0, learnt = 0, late = 0;  // postures, those that were learnt, and those among the last half
};

class Teacher {
  public:
    Teacher(const Reduction& reduction, const Polish& polish, const ScalarChain& chain, const ChainFrame& frame,
            double scale, std::vector<double> low, std::vector<double> high, const Lessons& lessons)
        : reduction_(reduction), polish_(polish), chain_(chain), frame_(frame), scale_(scale), low_(std::move(low)),
          high_(std::move(high)), lessons_(lessons), n_(reduction.n()), inner_(reduction.inner()),
          terms_(terms_of(reduction.numbers(), lessons.order)) {}

    // Posture number k; the same on every machine.
    void draw(std::uint64_t k, double* q) const {
        for (int j = 0; j < n_; ++j) {
            const std::size_t i = std::size_t(j);
            q[j] = low_[i] + (high_[i] - low_[i]) * counter_random(lessons_.seed * STREAMS + TEACHING + i, k);
        }
    }
    Reduced place_of(const double* q) const {
        return reduction_.reduced(forward_chain_noinline<false, double>(chain_, frame_, q, nullptr));
    }

    // Teach one cell of the grid with the postures of these numbers, which lie in it.
    void cell(const CellTree& tree, const std::uint32_t* numbers, long count, Grown& out) const {
        std::vector<Lesson> all;
        all.reserve(std::size_t(count));
        for (long k = 0; k < count; ++k) {
            Lesson one{numbers[k], {}, -1};
            double q[POSTURE_JOINTS];
            draw(one.number, q);
            tree.root(place_of(q).numbers, one.inside);
            all.push_back(one);
        }
        out.shown += count;
        const std::size_t root = out.roots.size();
        out.roots.push_back(0);
        const std::int32_t node = grow(tree, all, 0, out);
        out.roots[root] = node;
    }

  private:
    static constexpr std::uint64_t STREAMS = 64, TEACHING = 1 << 20;
    static constexpr double FOUND = 1e-4;  // a posture this near is the one that was drawn [rad, or parts of the scale]
    static constexpr double RIDGE = 1e-9;  // keeps a fit of few postures from going astray

    struct Lesson {
        std::uint32_t number;
        double inside[CellTree::MOST_NUMBERS];  // where in the cell, from 0 to 1
        int sheet;
    };
    struct Sheets {
        std::vector<double> starts;  // inner joints
        std::vector<int> sides;      // of the folds
        std::vector<float> models;
        int count = 0;
        double worst = 0.0;
        long learnt = 0, late = 0;
    };

    // Returns the node.
    std::int32_t grow(const CellTree& tree, std::vector<Lesson>& lessons, int depth, Grown& out) const {
        const long count = long(lessons.size());
        if (depth < lessons_.deepest && count >= 2 * lessons_.look) {
            std::vector<Lesson> some(lessons.begin(), lessons.begin() + lessons_.look);
            if (taught(some).worst > lessons_.tolerance) return divide(tree, lessons, depth, out);
        }
        const Sheets sheets = taught(lessons);
        if (depth < lessons_.deepest && sheets.worst > lessons_.tolerance && count >= 2 * lessons_.look)
            return divide(tree, lessons, depth, out);
        out.learnt += sheets.learnt, out.late += sheets.late;
        out.models.insert(out.models.end(), sheets.models.begin(), sheets.models.end());
        out.sheets.push_back(std::uint32_t(sheets.count));
        return std::int32_t(out.sheets.size() - 1);
    }
    std::int32_t divide(const CellTree& tree, std::vector<Lesson>& lessons, int depth, Grown& out) const {
        const std::size_t parts = std::size_t(1) << tree.numbers, first = out.parts.size();
        std::vector<std::vector<Lesson>> shares(parts);
        for (Lesson& lesson : lessons) {
            const int part = tree.part(lesson.inside);
            shares[std::size_t(part)].push_back(lesson);
        }
        lessons.clear();
        lessons.shrink_to_fit();
        out.parts.resize(first + parts);
        for (std::size_t k = 0; k < parts; ++k) {
            const std::int32_t node = grow(tree, shares[k], depth + 1, out);
            out.parts[first + k] = node;
        }
        return -1 - std::int32_t(first);
    }

    Sheets taught(std::vector<Lesson>& lessons) const {
        Sheets sheets;
        const long half = long(lessons.size()) / 2;
        for (long k = 0; k < long(lessons.size()); ++k) {
            Lesson& lesson = lessons[std::size_t(k)];
            double q[POSTURE_JOINTS];
            draw(lesson.number, q);
            lesson.sheet = look_up(sheets, q);
            if (lesson.sheet >= 0) continue;
            ++sheets.learnt, sheets.late += k >= half;
            if (sheets.count == MOST_SHEETS) continue;
            lesson.sheet = sheets.count++;
            sheets.starts.insert(sheets.starts.end(), q + reduction_.first(), q + reduction_.first() + inner_);
            sheets.sides.push_back(side_of(q));
        }
        fit(sheets, lessons);
        return sheets;
    }

    // A polynomial runs through one side of a fold only; without one it does not matter from where a posture is found.
    int side_of(const double* q) const { return lessons_.order == 0 ? 0 : polish_.side(q); }

    // The sheet from which a posture is found, -1 for none.
    int look_up(const Sheets& sheets, const double* q) const {
        if (sheets.count == 0) return -1;
        const Pose<double> target = forward_chain_noinline<false, double>(chain_, frame_, q, nullptr);
        double candidates[MOST_SHEETS * 4 * POSTURE_JOINTS];
        int which[MOST_SHEETS * 4];
        const auto start = [&](long sheet, int joint) { return sheets.starts[std::size_t(sheet * inner_ + joint)]; };
        const int total = completed(reduction_, reduction_.reduced(target), sheets.count, start, candidates);
        const int kept = polished(polish_, n_, target, candidates, total, which);
        const int side = side_of(q);
        for (int k = 0; k < kept; ++k) {
            const double* found = candidates + k * n_;
            const int sheet = which[k] / reduction_.ways();
            if (sheets.sides[std::size_t(sheet)] != side) continue;
            if (lessons_.any_posture ? keeps_limits(found) : is_near(found, q)) return sheet;
        }
        return -1;
    }
    double gap(int joint, double a, double b) const {
        const bool turns = chain_.joints[std::size_t(joint)].kind == Kind::revolute;
        return joint_gap(turns, a - b, scale_);
    }
    bool is_near(const double* a, const double* b) const {
        for (int j = 0; j < n_; ++j)
            if (!(std::fabs(gap(j, a[j], b[j])) < FOUND)) return false;
        return true;
    }
    bool keeps_limits(const double* q) const {
        for (int j = 0; j < n_; ++j) {
            const bool turns = chain_.joints[std::size_t(j)].kind == Kind::revolute;
            const double low = low_[std::size_t(j)], high = high_[std::size_t(j)], middle = 0.5 * (low + high);
            const double x = turns ? middle + wrap(q[j] - middle) : q[j];
            if (x < low || x > high) return false;
        }
        return true;
    }

    // A polynomial for each sheet, through the postures that were found from it.
    void fit(Sheets& sheets, const std::vector<Lesson>& lessons) const {
        sheets.models.assign(std::size_t(sheets.count * inner_ * terms_), 0.0f);
        std::vector<std::vector<const Lesson*>> own(static_cast<std::size_t>(sheets.count));
        for (const Lesson& lesson : lessons)
            if (lesson.sheet >= 0) own[std::size_t(lesson.sheet)].push_back(&lesson);
        for (int s = 0; s < sheets.count; ++s) fit_sheet(sheets, s, own[std::size_t(s)]);
    }
    void fit_sheet(Sheets& sheets, int s, const std::vector<const Lesson*>& own) const {
        const double* start = sheets.starts.data() + s * inner_;
        float* model = sheets.models.data() + s * inner_ * terms_;
        for (int j = 0; j < inner_; ++j) model[j * terms_] = float(start[j]);
        if (lessons_.order == 0 || long(own.size()) < 2 * terms_) return;
        const int m = terms_, numbers = reduction_.numbers(), first = reduction_.first();
        std::vector<double> a(std::size_t(m * m), 0.0), b(std::size_t(m * inner_), 0.0);
        for (const Lesson* lesson : own) {
            double at[CellTree::MOST_NUMBERS], terms[MOST_TREE_TERMS], q[POSTURE_JOINTS];
            for (int i = 0; i < numbers; ++i) at[i] = 2.0 * lesson->inside[i] - 1.0;
            terms_at(at, numbers, lessons_.order, terms);
            draw(lesson->number, q);
            for (int r = 0; r < m; ++r) {
                for (int c = 0; c < m; ++c) a[std::size_t(r * m + c)] += terms[r] * terms[c];
                for (int j = 0; j < inner_; ++j) {
                    const bool turns = chain_.joints[std::size_t(first + j)].kind == Kind::revolute;
                    const double off = q[first + j] - start[j];
                    b[std::size_t(r * inner_ + j)] += terms[r] * (turns ? wrap(off) : off);
                }
            }
        }
        for (int r = 0; r < m; ++r) a[std::size_t(r * m + r)] += RIDGE * double(own.size());
        if (!solve_positive(a.data(), b.data(), m, inner_)) return;
        for (int j = 0; j < inner_; ++j)
            for (int r = 0; r < m; ++r)
                model[j * m + r] = float(b[std::size_t(r * inner_ + j)] + (r == 0 ? start[j] : 0.0));
        double sum = 0.0;
        for (const Lesson* lesson : own) sum += squared_miss(model, *lesson);
        sheets.worst = std::max(sheets.worst, std::sqrt(sum / double(own.size())));
    }

    // By how much the numbers of a modelled posture are off, squared [m; directions count by the scale].
    double squared_miss(const float* model, const Lesson& lesson) const {
        const int numbers = reduction_.numbers(), place = reduction_.turns_first() ? 2 : 3;
        double at[CellTree::MOST_NUMBERS], terms[MOST_TREE_TERMS], q[POSTURE_JOINTS] = {}, wanted[POSTURE_JOINTS],
                                                                   sum = 0.0;
        for (int i = 0; i < numbers; ++i) at[i] = 2.0 * lesson.inside[i] - 1.0;
        terms_at(at, numbers, lessons_.order, terms);
        for (int j = 0; j < inner_; ++j)
            for (int r = 0; r < terms_; ++r) q[reduction_.first() + j] += double(model[j * terms_ + r]) * terms[r];
        draw(lesson.number, wanted);
        const Reduced is = reduction_.of_posture(q), should = place_of(wanted);
        for (int i = 0; i < numbers; ++i) {
            const double off = is.numbers[i] - should.numbers[i];
            const double miss = i < place ? off : scale_ * (reduction_.is_angle(i) ? wrap(off) : off);
            sum += miss * miss;
        }
        return sum;
    }

    const Reduction& reduction_;
    const Polish& polish_;
    const ScalarChain& chain_;
    const ChainFrame& frame_;
    double scale_;
    std::vector<double> low_, high_;
    Lessons lessons_;
    int n_, inner_, terms_;
};

}  // namespace limbik::table
