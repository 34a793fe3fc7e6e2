// Kim and Tarokh's table: cells over the position of the wrist's centre, then cells over the orientation for each
// configuration of the arm.
//
// A block of targets goes through four stages, each a loop over the block, so that the timing of a stage costs little:
//   reach     whether the position is inside the grid and the sphere around all positions of the training set
//   address   cell indices and addresses
//   search    the cells with these addresses; their records are prefetched
//   evaluate  the model of every solution, wrapped to the copy closest to `home`
// The orientation goes through the last three again, once for each configuration of the arm; or the wrist is solved in
// closed form. A chain that is not decoupled has one level, over whole poses. An arm with a swivel is looked up at an
// inclination of its elbow; `find`, which is given none, tries the middle of each division of the inclination.
#pragma once

#include <chrono>
#include <memory>

#include "../closed_form/spherical_wrist.hpp"
#include "../kinematics/kinematics.hpp"
#include "candidates.hpp"
#include "cell_level.hpp"

namespace limbik::table {

enum class CellPart {
    reach,
    position_address,
    position_search,
    position_evaluate,
    orientation_address,
    orientation_search,
    orientation_evaluate,
    count
};
inline constexpr int CELL_PARTS = int(CellPart::count);

struct CellShape {
    // whole: one level over whole poses. inclined: the inclination is a coordinate. zyz: the Euler angles, else zyx.
    bool whole = false, inclined = false, zyz = true, by_index = false;
    int n = 0;
    Vector3<double> centre{};            // the wrist's centre in the tip's frame
    Vector3<double> middle{};            // of all positions in the training set
    double radius2 = 0.0;                // the squared radius of their sphere
    double home[MOST_JOINTS_OF_CELL]{};  // revolute joints are wrapped to the copy closest to these
    bool revolute[MOST_JOINTS_OF_CELL]{};
};

class CellTable final : public Candidates {
  public:
    static constexpr int WRIST = 3, BLOCK = 32;

    // Levels and kinematics must outlive the table. second: null where the wrist is solved in closed form, or there is
    // none.
    CellTable(const Kinematics& k, int tip, const CellLevel& first, const CellLevel* second, const CellShape& shape,
              const SphericalWrist& wrist)
        : k_(k), tip_(tip), first_(first), second_(second), shape_(shape), wrist_(wrist) {}

    int n() const override { return shape_.n; }
    int per_target() const {
        return std::max(first_.most, 1) * (shape_.whole ? 1 : second_ ? std::max(second_->most, 1) : 2);
    }
    int most() const override { return per_target() * (shape_.inclined ? int(first_.grid.divisions[3]) : 1); }

    int find(const Pose<double>& target, double* q) const override {
        if (!shape_.inclined) return one(target, 0.0, q);
        int found = 0;
        for (std::int64_t part = 0; part < first_.grid.divisions[3]; ++part)
            found +=
                one(target, first_.grid.low[3] + (double(part) + 0.5) / first_.grid.per_side[3], q + found * shape_.n);
        return found;
    }

    // Targets as rows of 16 numbers; v: an inclination each, or null. q and kinds: `per_target` entries a row. seconds:
    // the time of each stage is added to it; may be null.
    void find_batch(const double* targets, const double* v, long rows, double* q, std::int32_t* kinds,
                    std::int32_t* counts, double* seconds) const {
        const auto block = std::make_unique<Block<BLOCK>>();
        const long most = per_target();
        for (long row = 0; row < rows; row += BLOCK) {
            const int count = int(std::min<long>(BLOCK, rows - row));
            run(*block, targets + 16 * row, v ? v + row : nullptr, count, q + row * most * shape_.n, kinds + row * most,
                counts + row, seconds);
        }
    }

  private:
    template <int B> struct Block {
        double u[B][MOST_AXES_OF_CELL], x[B][MOST_AXES_OF_CELL];
        bool reached[B];
        std::int64_t address[B];
        long cell[B];
        int found;  // configurations of the arm, over all targets
        int owner[B * MOST_RECORDS], kind[B * MOST_RECORDS];
        double arm[B * MOST_RECORDS][MOST_JOINTS_OF_CELL], place[B * MOST_RECORDS][MOST_AXES_OF_CELL];
        std::int64_t orientation_address[B * MOST_RECORDS];
        long orientation_cell[B * MOST_RECORDS];
    };

    class Clock {
      public:
        explicit Clock(double* seconds) : seconds_(seconds) {
            if (seconds_) last_ = Steady::now();
        }
        void end(CellPart part) {
            if (!seconds_) return;
            const auto now = Steady::now();
            seconds_[int(part)] += std::chrono::duration<double>(now - last_).count();
            last_ = now;
        }

      private:
        using Steady = std::chrono::steady_clock;
        double* seconds_;
        Steady::time_point last_{};
    };

    int one(const Pose<double>& target, double v, double* q) const {
        double row[16];
        store_pose(target, 1, row, 16);
        Block<1> block;
        std::int32_t kinds[MOST_RECORDS * MOST_RECORDS], count;
        run(block, row, &v, 1, q, kinds, &count, nullptr);
        return count;
    }

    template <int B> void run(Block<B>& b, const double* T, const double* v, int count, double* q, std::int32_t* kinds,
                              std::int32_t* counts, double* seconds) const {
        Clock clock(seconds);
        for (int i = 0; i < count; ++i) b.reached[i] = reach(T + 16 * i, v ? v[i] : 0.0, b.u[i]);
        clock.end(CellPart::reach);
        for (int i = 0; i < count; ++i) b.address[i] = first_.grid.locate(b.u[i], b.x[i]);
        clock.end(CellPart::position_address);
        for (int i = 0; i < count; ++i) {
            b.cell[i] = b.reached[i] ? first_.find(b.address[i], shape_.by_index) : -1;
            if (b.cell[i] >= 0) first_.fetch(b.cell[i]);
        }
        clock.end(CellPart::position_search);
        place(b, count);
        clock.end(CellPart::position_evaluate);
        std::fill_n(counts, count, 0);
        if (shape_.whole) {
            for (int s = 0; s < b.found; ++s) emit(b, s, nullptr, 0, q, kinds, counts);
        } else if (second_) {
            orient_by_cells(b, T, clock, q, kinds, counts);
        } else {
            for (int s = 0; s < b.found; s += width<Wide>) orient_exactly(b, s, T, q, kinds, counts);
        }
        clock.end(CellPart::orientation_evaluate);
    }

    // The coordinates of the first level; returns whether the position may be reachable.
    bool reach(const double* T, double v, double* u) const {
        const Vector3<double>& c = shape_.centre;
        u[0] = T[3], u[1] = T[7], u[2] = T[11];
        if (!shape_.whole)
            for (int row = 0; row < 3; ++row) u[row] += T[4 * row] * c.x + T[4 * row + 1] * c.y + T[4 * row + 2] * c.z;
        if (shape_.inclined) u[3] = v;
        if (shape_.whole) angles(T, u + 3);
        const Vector3<double> off = Vector3<double>{u[0], u[1], u[2]} - shape_.middle;
        return first_.grid.contains(u, shape_.inclined ? 4 : 3) && dot(off, off) <= shape_.radius2;
    }

    template <int B> void place(Block<B>& b, int count) const {
        double values[MOST_TERMS];
        const CellModel& model = first_.model;
        b.found = 0;
        for (int i = 0; i < count; ++i) {
            const long cell = b.cell[i];
            if (cell < 0) continue;
            model.prepare(b.x[i], values);
            for (std::int64_t r = first_.first[cell]; r < first_.first[cell + 1]; ++r, ++b.found) {
                b.owner[b.found] = i, b.kind[b.found] = first_.kinds[r];
                model.evaluate(first_.words + r * model.words(), values, b.arm[b.found]);
                wrap_to_home(b.arm[b.found], 0, model.joints);
            }
        }
    }

    template <int B> void orient_by_cells(Block<B>& b, const double* T, Clock& clock, double* q, std::int32_t* kinds,
                                          std::int32_t* counts) const {
        const int arm = first_.model.joints;
        double euler[3] = {0.0, 0.0, 0.0}, u[MOST_AXES_OF_CELL], values[MOST_TERMS], wrist[MOST_JOINTS_OF_CELL];
        for (int s = 0; s < b.found; ++s) {
            if (s == 0 || b.owner[s] != b.owner[s - 1]) angles(T + 16 * b.owner[s], euler);
            std::copy_n(b.arm[s], arm, u);
            std::copy_n(euler, 3, u + arm);
            b.orientation_address[s] = second_->grid.locate(u, b.place[s]);
        }
        clock.end(CellPart::orientation_address);
        for (int s = 0; s < b.found; ++s) {
            b.orientation_cell[s] = second_->find(b.orientation_address[s], shape_.by_index);
            if (b.orientation_cell[s] >= 0) second_->fetch(b.orientation_cell[s]);
        }
        clock.end(CellPart::orientation_search);
        const CellModel& model = second_->model;
        for (int s = 0; s < b.found; ++s) {
            const long cell = b.orientation_cell[s];
            if (cell < 0) continue;
            model.prepare(b.place[s], values);
            for (std::int64_t r = second_->first[cell]; r < second_->first[cell + 1]; ++r) {
                model.evaluate(second_->words + r * model.words(), values, wrist);
                wrap_to_home(wrist, arm, WRIST);
                emit(b, s, wrist, second_->kinds[r], q, kinds, counts);
            }
        }
    }

    // The wrist in closed form for the arm's configurations from s on, in the lanes.
    template <int B> void orient_exactly(Block<B>& b, int s, const double* T, double* q, std::int32_t* kinds,
                                         std::int32_t* counts) const {
        constexpr int W = width<Wide>;
        const int arm = first_.model.joints, count = std::min(W, b.found - s);
        Wide posture[MOST_JOINTS_OF_CELL], m[12];
        for (int j = 0; j < shape_.n; ++j) posture[j] = Wide(0.0);
        for (int i = 0; i < W; ++i) {
            const int from = s + std::min(i, count - 1);
            const double* target = T + 16 * b.owner[from];
            for (int j = 0; j < arm; ++j) set_lane(posture[j], i, b.arm[from][j]);
            for (int k = 0; k < 12; ++k) set_lane(m[k], i, target[k]);
        }
        const Pose<Wide> before =
            forward_chain<false, Wide>(*k_.chain, k_.chain->frames[std::size_t(tip_)], posture, nullptr);
        const Vector3<Wide> x = {m[0], m[4], m[8]}, y = {m[1], m[5], m[9]}, z = {m[2], m[6], m[10]};
        const WristPostures<Wide> both =
            wrist_.solve<Wide>({unrotate(before, x), unrotate(before, y), unrotate(before, z), before.origin});
        const Wide exist = select(both.exist, Wide(1.0), Wide(0.0));
        for (int i = 0; i < count; ++i) {
            if (lane(exist, i) == 0.0) continue;
            for (int branch = 0; branch < 2; ++branch) {
                double wrist[WRIST];
                for (int j = 0; j < WRIST; ++j) wrist[j] = lane(both.q[branch][j], i);
                wrap_to_home(wrist, arm, WRIST);
                emit(b, s + i, wrist, branch, q, kinds, counts);
            }
        }
    }

    template <int B> void emit(const Block<B>& b, int s, const double* wrist, int kind, double* q, std::int32_t* kinds,
                               std::int32_t* counts) const {
        const int arm = first_.model.joints, owner = b.owner[s], most = per_target(),
                  place = owner * most + counts[owner]++;
        std::copy_n(b.arm[s], arm, q + long(place) * shape_.n);
        if (wrist) std::copy_n(wrist, WRIST, q + long(place) * shape_.n + arm);
        kinds[place] = wrist ? b.kind[s] * 2 + kind : b.kind[s];
    }

    void wrap_to_home(double* q, int from, int count) const {
        for (int j = 0; j < count; ++j)
            if (shape_.revolute[from + j]) q[j] -= TURN * std::nearbyint((q[j] - shape_.home[from + j]) * (1.0 / TURN));
    }

    // Rz(a) Ry(b) Rz(g) or Rz(a) Ry(b) Rx(g); g = 0 where only their sum is defined.
    void angles(const double* T, double* out) const {
        constexpr double NO_DIRECTION = 1e-12;
        const bool zyz = shape_.zyz;
        const double across = zyz ? std::sqrt(T[8] * T[8] + T[9] * T[9]) : std::sqrt(T[0] * T[0] + T[4] * T[4]);
        double y[3] = {zyz ? T[6] : T[4], zyz ? across : -T[8], T[9]},
               x[3] = {zyz ? T[2] : T[0], zyz ? T[10] : across, zyz ? -T[8] : T[10]};
        if (!(across > NO_DIRECTION)) {
            const double side = T[10] > 0.0 ? 1.0 : -1.0;
            y[0] = zyz ? side * T[4] : -T[1], x[0] = zyz ? side * T[0] : T[5];
            y[2] = 0.0, x[2] = 1.0;
        }
        arc_tangents2<3>(y, x, out);
    }

    const Kinematics& k_;
    int tip_;
    const CellLevel& first_;
    const CellLevel* second_;
    CellShape shape_;
    SphericalWrist wrist_;
};

}  // namespace limbik::table
