// A small symmetric system in the lanes, by Cholesky's factors; its size is known to the compiler.
#pragma once

#include "../simd/lanes.hpp"

namespace limbik::linalg {

// Solve a symmetric positive definite MxM system in place: a holds the lower triangle by rows, b becomes the answer.
template <int M, class R> LIMBIK_INLINE void solve_spd(R a[M * (M + 1) / 2], R b[M]) {
    auto at = [](int i, int j) { return i * (i + 1) / 2 + j; };
    R inverse[M];
    for (int j = 0; j < M; ++j) {
        R d = a[at(j, j)];
        for (int k = 0; k < j; ++k) d = nmadd(a[at(j, k)], a[at(j, k)], d);
        inverse[j] = R(1.0) / square_root(d);
        for (int i = j + 1; i < M; ++i) {
            R x = a[at(i, j)];
            for (int k = 0; k < j; ++k) x = nmadd(a[at(i, k)], a[at(j, k)], x);
            a[at(i, j)] = x * inverse[j];
        }
    }
    for (int i = 0; i < M; ++i) {
        R x = b[i];
        for (int k = 0; k < i; ++k) x = nmadd(a[at(i, k)], b[k], x);
        b[i] = x * inverse[i];
    }
    for (int i = M - 1; i >= 0; --i) {
        R x = b[i];
        for (int k = i + 1; k < M; ++k) x = nmadd(a[at(k, i)], b[k], x);
        b[i] = x * inverse[i];
    }
}

}  // namespace limbik::linalg
