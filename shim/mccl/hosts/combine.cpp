#include "mccl/hosts/combine.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>
#include <utility>

#include "mccl/core/data_type.h"

namespace musashim::mccl {
namespace {

constexpr size_t kBlockBytes = 8192;  // stays in the first-level cache
constexpr size_t kMostInputs = 64;    // of one step

template <class T>
void divide(void* data, size_t bytes, int by) {
  T* values = static_cast<T*>(data);
  const auto wide = static_cast<std::common_type_t<T, int>>(by);  // a narrow type may not hold it
  for (size_t i = 0; i < bytes / sizeof(T); ++i) values[i] = static_cast<T>(values[i] / wide);
}

}  // namespace

void Combiner::begin(const CollectiveTask& task, const std::vector<const void*>& sends,
                     const std::vector<uint64_t>& factors, int ranks,
                     std::span<const std::vector<int>> orders) {
  task_ = task;
  given_.clear();
  if (orders.empty()) given_.push_back({sends, factors});
  for (const std::vector<int>& order : orders) {
    Given& given = given_.emplace_back();
    for (const int seat : order) {
      given.sends.push_back(sends[static_cast<size_t>(seat)]);
      given.factors.push_back(factors[static_cast<size_t>(seat)]);
    }
  }
  element_ = elementSize(task.type);
  ranks_ = ranks;
  const Reduction reduction = task.reduction;
  const bool sums = reduction == Reduction::kSumThenDivide || reduction == Reduction::kPreMulSum;
  combine_ = reduceKernel(task.type, sums ? Reduction::kSum : reduction);
  local_ = reduction == Reduction::kPreMulSum ? reduceKernel(task.type, reduction) : combine_;
}

void Combiner::run(void* out, std::span<const void* const> before, size_t offset,
                   std::span<const void* const> after, size_t bytes, size_t order) const {
  const Given& given = given_[order % given_.size()];
  alignas(64) std::byte own[kBlockBytes], result[kBlockBytes], soFar[kBlockBytes];
  std::array<const void*, kMostInputs> inputs{};
  for (size_t at = 0; at < bytes; at += kBlockBytes) {
    const size_t length = std::min(kBlockBytes, bytes - at), count = length / element_;
    local_(own, {given.sends.data(), given.factors.data(), static_cast<int>(given.sends.size())},
           (offset + at) / element_, count);
    size_t used = 0;
    const auto take = [&](const void* input) {
      inputs[used++] = input;
      if (used < kMostInputs) return;
      combine_(result, {inputs.data(), nullptr, static_cast<int>(used)}, 0, count);
      inputs[0] = std::memcpy(soFar, result, length);
      used = 1;
    };
    for (const void* input : before) take(static_cast<const std::byte*>(input) + at);
    take(own);
    for (const void* input : after) take(static_cast<const std::byte*>(input) + at);
    const void* sum = own;
    if (used > 1) {
      combine_(result, {inputs.data(), nullptr, static_cast<int>(used)}, 0, count);
      sum = result;
    }
    std::memcpy(static_cast<std::byte*>(out) + at, sum, length);
  }
}

void Combiner::complete(void* data, size_t bytes) const {
  if (task_.reduction != Reduction::kSumThenDivide) return;
  switch (task_.type) {
    case mcclInt8:
      return divide<int8_t>(data, bytes, ranks_);
    case mcclUint8:
      return divide<uint8_t>(data, bytes, ranks_);
    case mcclInt32:
      return divide<int32_t>(data, bytes, ranks_);
    case mcclUint32:
      return divide<uint32_t>(data, bytes, ranks_);
    case mcclInt64:
      return divide<int64_t>(data, bytes, ranks_);
    case mcclUint64:
      return divide<uint64_t>(data, bytes, ranks_);
    default:
      return;  // averages of others are sums of scaled elements
  }
}

}  // namespace musashim::mccl
