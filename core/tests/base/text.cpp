// Numbers read from text: the values of strtod, in the rows of the text, without a read outside it.

#include <cstdio>
#include <cstdlib>

#include "../support/random.hpp"

#include "../../base/text_numbers.hpp"

namespace limbik::test {
namespace {

inline constexpr double LARGEST_IN_TEXT = 1e100;

inline std::string written(const char* format, double x) {
    char text[400];
    std::snprintf(text, sizeof text, format, x);
    return text;
}

// A number as in files: short or long, with signs, points and powers; also below the smallest double.
inline std::string random_number_text(Random& random) {
    const double x = random.sign() * random.magnitude(-30.0, 30.0), near = random.uniform(-1000.0, 1000.0);
    switch (random.integer(0, 10)) {
        case 0: return written("%.17g", x);
        case 1: return written("%.6f", near);
        case 2: return written("%.0f", near);
        case 3: return "+" + written("%.3f", std::fabs(near));
        case 4: return written("%E", x);
        case 5: return written("%.30f", near);
        case 6: return random.chance(0.5) ? "-0" : "0.000";
        case 7: return written("%.1f", near).substr(0, 1) == "-" ? "-.5" : ".25";
        case 8: return written("%.0f", near) + ".";
        case 9: return random.chance(0.5) ? "1e-400" : written("%g", 4.9e-324);
        default: {
            std::string digits = std::to_string(random.integer(1, 9));
            for (int k = random.integer(0, 20); k > 0; --k) digits += char('0' + random.integer(0, 9));
            return digits.insert(std::size_t(random.integer(0, int(digits.size()))), ".");
        }
    }
}

inline std::string random_gap(Random& random, const char* of) {
    std::string gap{};
    for (int k = random.integer(1, 3); k > 0; --k)
        gap += of[random.integer(0, int(std::char_traits<char>::length(of)) - 1)];
    return gap;
}

// The same text in a heap block of its own size: the sanitizer detects a read outside it.
inline TextNumbers read_exactly(const std::string& text, long columns, long most) {
    const std::vector<char> block(text.begin(), text.end());
    return read_text_numbers(block.data(), long(block.size()), columns, most, LARGEST_IN_TEXT);
}

struct Page {
    std::string text;
    std::vector<double> values;
    std::vector<long> offsets;
    long columns = 0, uneven_row = -1, uneven_count = 0;
};

inline Page random_page(Random& random) {
    Page page;
    page.columns = random.integer(1, 6);
    const int rows = random.integer(0, 8);
    if (random.chance(0.3)) page.text += random_gap(random, " \t\n");
    for (int row = 0; row < rows; ++row) {
        const long count = random.chance(0.9) ? page.columns : random.integer(1, 8);
        if (count != page.columns && page.uneven_row < 0) page.uneven_row = row, page.uneven_count = count;
        for (long k = 0; k < count; ++k) {
            if (k > 0) page.text += random_gap(random, " \t\v");
            const std::string word = random_number_text(random);
            page.offsets.push_back(long(page.text.size()));
            page.values.push_back(std::strtod(word.c_str(), nullptr));
            page.text += word;
        }
        if (row + 1 < rows || random.chance(0.5)) page.text += random_gap(random, "\n\r");
    }
    return page;
}

inline void check_values(const TextNumbers& found, const Page& page, std::size_t count) {
    HOLDS(found.values.size() == count, std::uint64_t(found.values.size()), std::uint64_t(count));
    for (std::size_t k = 0; k < count && k < found.values.size(); ++k)
        HOLDS(same_bits(found.values[k], page.values[k]), std::uint64_t(k), found.values[k], page.values[k]);
}

LAW("numbers are those of strtod, in rows as the text has lines", 400, [](std::uint64_t seed) {
    Random random(seed);
    const Page page = random_page(random);
    const TextNumbers found = read_exactly(page.text, page.columns, 1000);
    HOLDS(found.bad == -1 && found.surplus == -1, found.bad, found.surplus);
    HOLDS(found.uneven_row == page.uneven_row && found.uneven_count == page.uneven_count, found.uneven_row,
          page.uneven_row);
    check_values(found, page, page.values.size());
});

LAW("text that is no number is reported with its place, and so is a surplus number", 400, [](std::uint64_t seed) {
    constexpr const char* WRONG[] = {"nan", "inf", "-inf",  "1e", "0x10", "--1", "+-1", "++1", "1,2",
                                     "abc", "-",   "1e101", ".",  "1..2", "1e+", "1_0", "+",   "1e999"};
    Random random(seed);
    Page page = random_page(random);
    if (page.values.empty()) return;
    const std::size_t at = std::size_t(random.integer(0, int(page.values.size()) - 1));
    {
        const TextNumbers found = read_exactly(page.text, page.columns, long(at));
        HOLDS(found.surplus == page.offsets[at] && found.bad == -1, found.surplus, page.offsets[at], found.bad);
        check_values(found, page, at);
    }
    const std::string wrong = WRONG[random.integer(0, int(std::size(WRONG)) - 1)];
    std::size_t end = std::size_t(page.offsets[at]);
    while (end < page.text.size() && !is_space(page.text[end])) ++end;
    page.text.replace(std::size_t(page.offsets[at]), end - std::size_t(page.offsets[at]), wrong);
    const TextNumbers found = read_exactly(page.text, page.columns, 1000);
    HOLDS(found.bad == page.offsets[at] && found.surplus == -1, wrong.c_str(), found.bad, page.offsets[at]);
    check_values(found, page, at);
});

LAW("bytes at random are read or refused", 400, [](std::uint64_t seed) {
    constexpr const char LIKELY[] = "0123456789.+-eE \n\t\rxnaif";
    Random random(seed);
    std::string text{};
    for (int k = random.integer(0, 60); k > 0; --k)
        text += random.chance(0.95) ? LIKELY[random.integer(0, int(sizeof LIKELY) - 2)] : char(random.integer(0, 255));
    const TextNumbers found = read_exactly(text, random.integer(1, 4), random.integer(0, 20));
    HOLDS(found.bad < long(text.size()) && found.surplus < long(text.size()), found.bad, found.surplus);
    for (double x : found.values) HOLDS(std::fabs(x) <= LARGEST_IN_TEXT, x);
});

}  // namespace
}  // namespace limbik::test
