// Numbers read from text: separated by white space, one row per line, at most as many as expected.
//
// Text is the slow part of every motion file. std::from_chars reads the nearest double, whatever the locale. Memory is
// bounded by the bytes at hand, not by what a header announces.
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "../layers.hpp"

namespace limbik::base {

// The values, and the places where the text is malformed (-1: it is not).
struct TextNumbers {
    std::vector<double> values;
    long bad = -1;         // offset of the first word that is not a finite number in range
    long surplus = -1;     // offset of the first number past the expected ones
    long uneven_row = -1;  // the first line, not counting blank ones, whose count of numbers is not `columns`
    long uneven_count = 0;
};

inline bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// Read one number that fills the text from `first` to `last`; a plus sign before it is allowed.
inline bool number_from_text(const char* first, const char* last, double& out) {
    if (last - first > 1 && *first == '+' && first[1] != '-' && first[1] != '+') ++first;
#if defined(__cpp_lib_to_chars)
    const auto [end, error] = std::from_chars(first, last, out);
    if (error == std::errc::result_out_of_range &&
        end == last) {  // too small is 0; the caller refuses what is too large
        out = std::strtod(std::string(first, last).c_str(), nullptr);
        return true;
    }
    return error == std::errc() && end == last;
#else
    const std::string word(first, last);
    char* end;
    if (word.find_first_of("xX") != std::string::npos) return false;
    out = std::strtod(word.c_str(), &end);
    return !word.empty() && end == word.c_str() + word.size();
#endif
}

// Read a number of plain digits and return its end; null where it is written in another way. The digits are below 2^53
// and the power of ten is exact, so only the division rounds: the result is the nearest double.
inline const char* plain_number(const char* at, const char* end, double& out) {
    constexpr double TENS[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                               1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    constexpr int MOST_DIGITS = 15;  // 10^15 < 2^53
    const bool negative = at < end && *at == '-';
    at += negative;
    std::int64_t digits = 0;
    int count = 0, decimals = 0;
    for (; at < end && *at >= '0' && *at <= '9' && count <= MOST_DIGITS; ++at, ++count)
        digits = 10 * digits + (*at - '0');
    if (at < end && *at == '.')
        for (++at; at < end && *at >= '0' && *at <= '9' && count <= MOST_DIGITS; ++at, ++count, ++decimals)
            digits = 10 * digits + (*at - '0');
    if (count == 0 || count > MOST_DIGITS || (at < end && !is_space(*at))) return nullptr;
    const double value = double(digits) / TENS[decimals];
    out = negative ? -value : value;
    return at;
}

// Read at most `most` numbers, each at most `largest` in size, in rows of `columns`.
inline TextNumbers read_text_numbers(const char* text, long size, long columns, long most, double largest) {
    TextNumbers out;
    constexpr long SHORTEST = 2;  // a digit and the space after it
    out.values.reserve(std::size_t(std::min(most, size / SHORTEST + 1)));
    long row = 0, in_row = 0;
    auto end_row = [&] {
        if (in_row == 0) return;
        if (in_row != columns && out.uneven_row < 0) out.uneven_row = row, out.uneven_count = in_row;
        ++row, in_row = 0;
    };
    const char *at = text, *const end = text + size;
    while (at < end) {
        if (is_space(*at)) {
            if (*at == '\n' || *at == '\r') end_row();
            ++at;
            continue;
        }
        double value = 0.0;
        const char* last = plain_number(at, end, value);
        bool known = last != nullptr;
        if (!known) {
            for (last = at; last < end && !is_space(*last);) ++last;
            known = number_from_text(at, last, value);
        }
        if (!known || !(std::fabs(value) <= largest)) {
            out.bad = at - text;
            return out;
        }
        if (long(out.values.size()) == most) {
            out.surplus = at - text;
            return out;
        }
        out.values.push_back(value);
        ++in_row;
        at = last;
    }
    end_row();
    return out;
}

}  // namespace limbik::base
