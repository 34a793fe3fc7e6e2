// Several goals together: residuals, cost, and the quadratic model of a step.
//
// The cost of a level is half the weighted sum of squares of its residuals, with metres divided by the mechanism's
// length. Its quadratic, J'J and J'e, is summed goal by goal over the columns on which each goal depends, so that
// independent limbs stay uncoupled.
#pragma once

#include <memory>

#include "../linalg/bounded_step.hpp"
#include "goal.hpp"

namespace limbik::goals {

// The residuals of all goals in order, and their derivatives.
struct Residuals {
    std::vector<double> e, J;
};

class GoalSet {
  public:
    GoalSet(const Mechanism& m, std::vector<std::unique_ptr<Goal>> goals, double length)
        : goals_(std::move(goals)), shape_(m.n), n_(m.n), length_(length) {
        for (const auto& goal : goals_) {
            places_.push_back({rows_, entries_, aims_});
            rows_ += std::size_t(goal->rows());
            entries_ += std::size_t(goal->rows()) * goal->columns().size();
            aims_ += std::size_t(goal->aims());
            widest_ = std::max(widest_, goal->columns().size());
            levels_ = std::max(levels_, goal->level + 1);
            for (const int i : goal->columns())
                for (const int j : goal->columns()) shape_.couple(rank(i), rank(j));
            for (const Part& part : goal->parts())
                for (int k = 0; k < part.rows; ++k) units_.push_back(part.length ? 1.0 / length : 1.0);
        }
        set_weights();
        required_.assign(std::size_t(levels_), 0);
        for (const auto& goal : goals_)
            if (goal->required) required_[std::size_t(goal->level)] = 1;
    }

    // The index of a number of q in the quadratic: leaves first, as in `Stepper`.
    int rank(int column) const { return n_ - 1 - column; }
    const Skyline& shape() const { return shape_; }
    const std::vector<std::unique_ptr<Goal>>& goals() const { return goals_; }
    std::size_t aims() const { return aims_; }
    std::size_t rows() const { return rows_; }
    int levels() const { return levels_; }
    double length() const { return length_; }
    // Whether a level has a required goal.
    bool required(int level) const { return required_[std::size_t(level)]; }
    Residuals make_residuals() const { return {std::vector<double>(rows_), std::vector<double>(entries_)}; }

    // Evaluate the goals of levels first..last.
    void evaluate(const MechanismState& state, const double* aims, int first, int last, Residuals& residuals) const {
        for (std::size_t k = 0; k < goals_.size(); ++k)
            if (goals_[k]->level >= first && goals_[k]->level <= last)
                goals_[k]->evaluate(state, aims + places_[k].aim, residuals.e.data() + places_[k].row,
                                    residuals.J.data() + places_[k].entry);
    }

    double cost(int first, int last, const Residuals& residuals) const {
        double sum = 0.0;
        for_rows(first, last, [&](std::size_t row) {
            const double x = weights_[row] * residuals.e[row];
            sum += x * x;
        });
        return 0.5 * sum;
    }

    // The largest deviation of a residual of levels first..last from `held` (null: from 0), in lengths, unweighted.
    double deviation(int first, int last, const Residuals& residuals, const double* held) const {
        double most = 0.0;
        for_rows(first, last, [&](std::size_t row) {
            if (weights_[row] > 0.0)
                most = std::max(most, units_[row] * std::abs(residuals.e[row] - (held ? held[row] : 0.0)));
        });
        return most;
    }

    // The smallest tolerance of a required goal, in lengths.
    double smallest_tolerance() const {
        double least = 1e300;
        for (const auto& goal : goals_)
            for (const Part& part : goal->parts())
                if (goal->required) least = std::min(least, part.tolerance * (part.length ? 1.0 / length_ : 1.0));
        return least;
    }

    // Record the residuals of a level (null: zeros) in `held`.
    void record(int level, const double* e, double* held) const {
        for_rows(level, level, [&](std::size_t row) { held[row] = e ? e[row] : 0.0; });
    }

    // Whether every required goal of this level is met to this share of its tolerances.
    bool met(int level, const Residuals& residuals, double share = 1.0) const {
        for (std::size_t k = 0; k < goals_.size(); ++k) {
            if (goals_[k]->level != level || !goals_[k]->required) continue;
            const double* e = residuals.e.data() + places_[k].row;
            for (const Part& part : goals_[k]->parts()) {
                if (!(length_of(part, e) <= share * part.tolerance)) return false;
                e += part.rows;
            }
        }
        return true;
    }

    // The norm of the residual of each part, goal by goal.
    std::vector<double> errors(const Residuals& residuals) const {
        std::vector<double> out;
        for (std::size_t k = 0; k < goals_.size(); ++k) {
            const double* e = residuals.e.data() + places_[k].row;
            for (const Part& part : goals_[k]->parts()) {
                out.push_back(length_of(part, e));
                e += part.rows;
            }
        }
        return out;
    }

    // Whether each part of a guard is within its tolerance or no worse than before.
    bool guards_hold(const std::vector<double>& before, const Residuals& residuals) const {
        std::size_t at = 0;
        for (std::size_t k = 0; k < goals_.size(); ++k) {
            const double* e = residuals.e.data() + places_[k].row;
            for (const Part& part : goals_[k]->parts()) {
                if (goals_[k]->guard && !(length_of(part, e) <= std::max(before[at], part.tolerance))) return false;
                e += part.rows, ++at;
            }
        }
        return true;
    }

    // Add the quadratic of levels first..last, times `scale`, for residuals relative to `held` (null: to 0).
    void add_quadratic(int first, int last, const Residuals& residuals, const double* held, double scale,
                       BoundedStep& to, std::vector<double>& block) const {
        block.resize(widest_ * (widest_ + 1));
        for (std::size_t k = 0; k < goals_.size(); ++k) {
            const Goal& goal = *goals_[k];
            if (goal.level < first || goal.level > last) continue;
            const std::size_t n = goal.columns().size();
            double *b = block.data(), *pull = b + n * n;
            std::fill_n(b, n * (n + 1), 0.0);
            const double* J = residuals.J.data() + places_[k].entry;
            bool any = false;
            for (std::size_t row = places_[k].row, end = row + std::size_t(goal.rows()); row < end; ++row, J += n) {
                const double weight = scale * weights_[row] * weights_[row];
                const double e = held ? residuals.e[row] - held[row] : residuals.e[row];
                if (weight == 0.0 || is_zero(J, n)) continue;
                any = true;
                for (std::size_t i = 0; i < n; ++i) {
                    const double x = weight * J[i];
                    pull[i] += x * e;
                    for (std::size_t j = i; j < n; ++j) b[i * n + j] += x * J[j];
                }
            }
            if (!any) continue;
            for (std::size_t i = 0; i < n; ++i) {
                const int at = rank(goal.columns()[i]);
                to.g[std::size_t(at)] += pull[i];
                double* h = to.H.data() + std::size_t(at) * std::size_t(n_);
                for (std::size_t j = i; j < n; ++j) h[rank(goal.columns()[j])] += b[i * n + j];
            }
        }
    }

  private:
    // The largest weight of every level becomes 1: levels are not weighted against each other, and the damping scales
    // with the residual.
    void set_weights() {
        std::vector<double> largest(std::size_t(levels_), 0.0);
        for (const auto& goal : goals_)
            for (const Part& part : goal->parts())
                largest[std::size_t(goal->level)] = std::max(largest[std::size_t(goal->level)], part.weight);
        std::size_t row = 0;
        for (const auto& goal : goals_)
            for (const Part& part : goal->parts())
                for (int k = 0; k < part.rows; ++k, ++row) {
                    const double most = largest[std::size_t(goal->level)];
                    weights_.push_back(most > 0.0 ? units_[row] * part.weight / most : 0.0);
                }
    }

    struct Place {
        std::size_t row, entry, aim;
    };

    static double length_of(const Part& part, const double* e) {
        double sum = 0.0;
        for (int k = 0; k < part.rows; ++k) sum += e[k] * e[k];
        return std::sqrt(sum);
    }
    static bool is_zero(const double* J, std::size_t n) {
        return std::all_of(J, J + n, [](double x) { return x == 0.0; });
    }
    template <class Work> void for_rows(int first, int last, const Work& work) const {
        for (std::size_t k = 0; k < goals_.size(); ++k) {
            if (goals_[k]->level < first || goals_[k]->level > last) continue;
            for (std::size_t row = places_[k].row, end = row + std::size_t(goals_[k]->rows()); row < end; ++row)
                work(row);
        }
    }

    std::vector<std::unique_ptr<Goal>> goals_;
    std::vector<Place> places_;
    std::vector<double> weights_, units_;  // of every row
    std::vector<char> required_;
    Skyline shape_;
    int n_, levels_ = 1;
    std::size_t rows_ = 0, entries_ = 0, aims_ = 0, widest_ = 0;
    double length_;
};

}  // namespace limbik::goals
