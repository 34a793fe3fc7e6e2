// Configurations that reach a target but violate their limits: those that violate them least.
#pragma once

#include "postures.hpp"

namespace limbik::closed_form {

struct NearMisses {
    static constexpr int MOST = 24;
    double q[MOST * POSTURE_JOINTS], outside[MOST];
    int count = 0;

    // Add a configuration of n numbers whose worst joint is outside by `by`.
    void add(const double* posture, int n, double by) {
        int place = count;
        if (count == MOST) {
            place = int(std::max_element(outside, outside + MOST) - outside);
            if (!(by < outside[place])) return;
        } else {
            ++count;
        }
        std::copy_n(posture, n, q + place * n);
        outside[place] = by;
    }
};

}  // namespace limbik::closed_form
