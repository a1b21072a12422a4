// The items that make one number of one word, for whole rows of words.
#pragma once

#include <cstddef>
#include <cstdint>

#include "items.h"

namespace musashim::rand {

void makeRow(const std::uint32_t* words, std::size_t count, float* out);
void makeRowOfM1(const std::uint32_t* numbers, std::size_t count, float* out);
void makeRow(const std::uint32_t* low, const std::uint32_t* high, std::size_t count, double* out);

}  // namespace musashim::rand
