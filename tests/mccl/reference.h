// What MCCL must compute, written a second time and independently: from the bits, in long
// double, rounded by definition after each step. Slow on purpose.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "mccl.h"

namespace musashim::mccl::reference {

constexpr mcclDataType_t kTypes[] = {mcclInt8,    mcclUint8,    mcclInt32,      mcclUint32,
                                     mcclInt64,   mcclUint64,   mcclFloat16,    mcclFloat32,
                                     mcclFloat64, mcclBfloat16, mcclFloat8e4m3, mcclFloat8e5m2};

size_t bytesOf(mcclDataType_t type);
const char* nameOf(mcclDataType_t type);

enum class Operation { kSum, kProd, kMax, kMin, kAvg, kPreMulSum };
constexpr Operation kOperations[] = {Operation::kSum, Operation::kProd, Operation::kMax,
                                     Operation::kMin, Operation::kAvg,  Operation::kPreMulSum};

// The element that the ranks' elements (raw bits) reduce to, in the order of the ranks.
uint64_t reduce(mcclDataType_t type, Operation operation, const std::vector<uint64_t>& elements,
                const std::vector<uint64_t>& factors);

// Equal, or both a NaN.
bool same(mcclDataType_t type, uint64_t a, uint64_t b);

// An element with any bits at all, or one of the values where arithmetic turns corners.
uint64_t randomElement(mcclDataType_t type, std::mt19937_64& random);

// A factor for PreMulSum: small, not a power of two.
uint64_t factor(mcclDataType_t type, int rank);

uint64_t load(const void* buffer, size_t index, size_t bytes);
void store(void* buffer, size_t index, size_t bytes, uint64_t element);

}  // namespace musashim::mccl::reference
