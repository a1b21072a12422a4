#include "mccl/perf/pattern.h"

#include <cmath>
#include <cstring>

#include "mccl/core/data_type.h"
#include "mccl/kernels/fp8.h"
#include "mccl/kernels/reduce.h"

namespace musashim::perf {
namespace {

unsigned hash(size_t index, int rank, int round) {
  auto bits = static_cast<unsigned>(index) * 2654435761u + static_cast<unsigned>(rank) * 40503u +
              static_cast<unsigned>(round) * 97u;
  bits ^= bits >> 15;
  return bits * 2246822519u >> 16;
}

double decode(mcclDataType_t type, const char* bytes) {
  switch (type) {
    case mcclInt8:
      return *reinterpret_cast<const int8_t*>(bytes);
    case mcclUint8:
      return *reinterpret_cast<const uint8_t*>(bytes);
    case mcclFloat8e4m3:
      return mccl::fp8ToFloat(*reinterpret_cast<const uint8_t*>(bytes), mccl::kE4m3);
    case mcclFloat8e5m2:
      return mccl::fp8ToFloat(*reinterpret_cast<const uint8_t*>(bytes), mccl::kE5m2);
    default:
      break;
  }
  const auto as = [&]<class T>(T value) {
    std::memcpy(&value, bytes, sizeof value);
    return value;
  };
  switch (type) {
    case mcclInt32:
      return as(int32_t{});
    case mcclUint32:
      return as(uint32_t{});
    case mcclInt64:
      return static_cast<double>(as(int64_t{}));
    case mcclUint64:
      return static_cast<double>(as(uint64_t{}));
    case mcclFloat16:
      return static_cast<double>(as(_Float16{}));
    case mcclFloat32:
      return as(float{});
    case mcclFloat64:
      return as(double{});
    default: {  // bfloat16
      const uint32_t bits = static_cast<uint32_t>(as(uint16_t{})) << 16;
      return __builtin_bit_cast(float, bits);
    }
  }
}

}  // namespace

int element(int rank, size_t index, int round, const Operation& operation, int ranks) {
  const unsigned bits = hash(index, rank, round);
  if (operation.op == mcclProd) {
    // At most seven twos among the ranks: what the smallest types hold.
    return static_cast<int>(bits % static_cast<unsigned>(ranks + 1)) == 0 && rank < 7 ? 2 : 1;
  }
  if (operation.op == mcclSum || operation.op == mcclAvg) {
    // Sums stay at 16 or below as long as there are no more ranks than that: whole numbers in every type.
    return static_cast<int>(bits % static_cast<unsigned>(std::max(2, 16 / std::max(1, 2 * ranks) + 1)));
  }
  return static_cast<int>(bits % 8);  // what the type of the fewest digits holds exactly
}

int scaleOf(int rank) { return 1 + rank % 2; }

double reduced(size_t index, int round, const Operation& operation, mcclDataType_t type, int ranks) {
  double result = element(0, index, round, operation, ranks) * (operation.scaled ? scaleOf(0) : 1);
  for (int rank = 1; rank < ranks; ++rank) {
    const double next =
        element(rank, index, round, operation, ranks) * (operation.scaled ? scaleOf(rank) : 1);
    switch (static_cast<int>(operation.op)) {
      case mcclProd:
        result *= next;
        break;
      case mcclMax:
        result = std::max(result, next);
        break;
      case mcclMin:
        result = std::min(result, next);
        break;
      default:
        result += next;
    }
  }
  if (operation.op != mcclAvg) return result;
  return mccl::isInteger(type) ? std::trunc(result / ranks) : result / ranks;
}

std::vector<char> encode(mcclDataType_t type, size_t count, const std::function<double(size_t)>& value) {
  const size_t size = sizeOf(type);
  std::vector<char> bytes(count * size);
  for (size_t i = 0; i < count; ++i) {
    const uint64_t bits = mccl::encodeElement(type, value(i));
    std::memcpy(bytes.data() + i * size, &bits, size);
  }
  return bytes;
}

size_t countWrong(mcclDataType_t type, const std::vector<char>& got, size_t count,
                  const std::function<double(size_t)>& value, bool isRounded) {
  const double steps = type == mcclFloat8e5m2   ? 0.5
                       : type == mcclFloat8e4m3 ? 0.25
                       : type == mcclBfloat16   ? 0.03
                                                : 0.004;
  size_t wrong = 0;
  for (size_t i = 0; i < count; ++i) {
    const double expected = value(i), is = decode(type, got.data() + i * sizeOf(type));
    const bool good =
        isRounded ? std::fabs(is - expected) <= steps * std::max(1.0, std::fabs(expected)) : is == expected;
    wrong += good ? 0 : 1;
  }
  return wrong;
}

}  // namespace musashim::perf
