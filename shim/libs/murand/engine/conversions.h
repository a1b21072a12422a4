// The items that make one number of one word, for whole rows of words.
#pragma once

#include <cstddef>
#include <cstdint>

#include "items.h"

namespace musashim::rand {

void makeRow(const std::uint32_t* words, std::size_t count, float* out);
void makeRowOfM1(const std::uint32_t* numbers, std::size_t count, float* out);
void makeRow(const std::uint32_t* low, const std::uint32_t* high, std::size_t count, double* out);

// Pairs of normal numbers as a GPU makes them, each `stride` behind the one before; of words, or of numbers
// to m1.
void makeNormals(const std::uint32_t* x, const std::uint32_t* y, std::size_t count, std::size_t stride,
                 float* out);
void makeNormalsOfM1(const std::uint32_t* x, const std::uint32_t* y, std::size_t count, std::size_t stride,
                     float* out);
// Pairs of uniform numbers become normal ones.
void makeNormalsOfUnits(std::size_t count, double* pairs);
// The mean, deviation and exponentials of a device's numbers.
void shapeOnDevice(const Shape& shape, std::size_t count, float* numbers);
void shapeOnDevice(const Shape& shape, std::size_t count, double* numbers);

}  // namespace musashim::rand
