// Random numbers without a state: each is a hash of a stream and a counter, so that it depends on neither order nor
// threads.
#pragma once

#include <cstdint>

#include "../layers.hpp"

namespace limbik::base {

// A number in [0, 1) that depends on its two keys only.
inline double counter_random(std::uint64_t stream, std::uint64_t counter) {
    std::uint64_t x = stream * 0x9e3779b97f4a7c15ull + counter * 0xd1b54a32d192ed03ull + 0x8cb92ba72f3d8dd7ull;
    x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93ull;
    x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93ull;
    x ^= x >> 32;
    return double(x >> 11) * 0x1p-53;
}

}  // namespace limbik::base
