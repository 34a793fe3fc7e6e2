// The k smallest of many values, in ascending order. Among equal values the one offered first comes first.
#pragma once

#include "../layers.hpp"

namespace limbik::base {

template <int MOST> class LeastFew {
  public:
    // Keep `most` values, at most MOST.
    explicit LeastFew(int most = MOST) : most_(most) {}

    void offer(double value, long index) {
        if (count_ == most_ && (most_ == 0 || !(value < values_[most_ - 1]))) return;
        int place = count_ < most_ ? count_++ : most_ - 1;
        for (; place > 0 && value < values_[place - 1]; --place)
            values_[place] = values_[place - 1], indices_[place] = indices_[place - 1];
        values_[place] = value, indices_[place] = index;
    }
    int count() const { return count_; }
    long index(int k) const { return indices_[k]; }

  private:
    int most_, count_ = 0;
    long indices_[MOST];
    double values_[MOST];
};

}  // namespace limbik::base
