// Lanes of a warp that went different ways work together: at several places of the source at once, with masks
// and distances of their own, in warps that are full, are not, or go over several rows of a block.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <musa_runtime.h>

#include <cstdio>
#include <cstring>
#include <functional>
#include <vector>

namespace cg = cooperative_groups;

using Long = unsigned long long;

constexpr int kMost = 288, kGroup = 32;
constexpr unsigned kAll = 0xffffffffu;

__host__ __device__ unsigned mixed(unsigned i) { return (i * 2654435761u) ^ (i >> 3); }

__device__ unsigned indexInBlock() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}

// One exchange, at two places of the source; what goes to and fro has 8 bytes at one of them.
__global__ void twoPlaces(Long* out) {
  const unsigned index = indexInBlock(), lane = index % kGroup, value = mixed(index);
  if (lane % 3 == 0) {
    out[index] = __shfl_xor_sync(kAll, static_cast<Long>(value) << 20, 1);
  } else {
    out[index] = __shfl_xor_sync(kAll, value, 1);
  }
}

// `width` is no constant, and each lane has a distance of its own.
__global__ void distances(int width, Long* out) {
  const unsigned index = indexInBlock(), lane = index % kGroup;
  unsigned char small = static_cast<unsigned char>(mixed(index));
  unsigned short middle = static_cast<unsigned short>(mixed(index) >> 7);
  const unsigned by = lane % 5;
  Long got = 0;
  if (lane < 20) {
    got = static_cast<unsigned>(
        __shfl_sync(0x000fffffu, static_cast<int>(small), static_cast<int>(lane * 7), width));
    got = got * 1000003 + __shfl_up_sync(0x000fffffu, static_cast<unsigned>(middle), by, width);
  } else {
    got = __shfl_down_sync(0xfff00000u, static_cast<unsigned>(middle), by, width);
    got = got * 1000003 +
          __shfl_xor_sync(0xfff00000u, static_cast<Long>(mixed(index)) << 9, static_cast<int>(by), width);
  }
  out[index] = got;
}

// The masks are no constants: who has the same key works together.
__global__ void byKey(int keys, Long* out) {
  const unsigned index = indexInBlock();
  const unsigned key = mixed(index) % static_cast<unsigned>(keys);
  const unsigned mine = __match_any_sync(__activemask(), key);
  Long got = 0;
  if (key % 2 == 0) {
    int all = 0;
    got = __ballot_sync(mine, mixed(index) & 64);
    got = got * 31 + __match_any_sync(mine, static_cast<Long>(mixed(index) & 3) << 40);
    got = got * 31 + __match_all_sync(mine, mixed(index) & 1, &all);
    got = got * 31 + static_cast<unsigned>(all);
  } else {
    got = static_cast<unsigned>(__any_sync(mine, mixed(index) & 128) != 0);
    got = got * 31 + static_cast<unsigned>(__all_sync(mine, mixed(index) & 128) != 0);
    got = got * 31 + __reduce_add_sync(mine, index);
  }
  __syncwarp();
  out[index] = got * 31 + __activemask();
}

// Of those who wait at one place some may go on, and others wait for lanes that are still elsewhere.
__global__ void latecomers(Long* out) {
  const unsigned index = indexInBlock(), lane = index % kGroup, value = mixed(index);
  const unsigned mask = lane < 8 ? 0x000000ffu : lane < 24 ? 0x00ffff00u : 0xff000000u;
  Long got = 0;
  if (lane < 16) {
    got = __ballot_sync(mask, value & 1);
  } else {
    got = __shfl_sync(lane < 24 ? 0x00ff0000u : 0xff000000u, value, lane < 24 ? 16 : 24, kGroup);
    got = got * 31 + __ballot_sync(mask, value & 1);
  }
  out[index] = got * 31 + __ballot_sync(mask, value & 2);
}

__host__ __device__ float fraction(unsigned value) { return static_cast<float>(value % 1000) * 0.1f; }

// Of numbers whose order does not matter, of others, and of an operator that asks for it.
__global__ void reductions(int keys, Long* out) {
  const unsigned index = indexInBlock(), value = mixed(index);
  const auto group =
      cg::labeled_partition(cg::coalesced_threads(), static_cast<int>(value % static_cast<unsigned>(keys)));
  Long got = cg::reduce(group, value, cg::plus<unsigned>());
  got = got * 31 + static_cast<unsigned>(cg::reduce(group, static_cast<int>(value), cg::less<int>()));
  got = got * 31 + cg::reduce(group, static_cast<Long>(value) << 13, cg::bit_xor<Long>());
  got = got * 31 + __float_as_uint(cg::reduce(group, fraction(value), cg::plus<float>()));
  got = got * 31 + cg::reduce(group, value, [] __device__(unsigned a, unsigned b) { return a * 31 + b; });
  out[index] = got;
}

namespace host {

// What the threads of a group of lanes have, and what each gets.
struct Group {
  unsigned first, lanes;

  unsigned here() const { return lanes == kGroup ? kAll : (1u << lanes) - 1; }
  template <typename Test>
  unsigned where(Test test) const {
    unsigned result = 0;
    for (unsigned lane = 0; lane < lanes; ++lane) result |= test(lane) ? 1u << lane : 0;
    return result;
  }
  unsigned value(unsigned lane) const { return mixed(first + lane); }
};

Long twoPlaces(const Group& group, unsigned lane) {
  const unsigned other = (lane ^ 1) < group.lanes ? lane ^ 1 : lane;
  const Long bits = static_cast<Long>(group.value(other)) << (other % 3 == 0 ? 20 : 0);
  return lane % 3 == 0 ? bits : static_cast<unsigned>(bits);
}

Long distances(int width, const Group& group, unsigned lane) {
  const unsigned size = static_cast<unsigned>(width), place = lane % size, by = lane % 5;
  const unsigned mask = (lane < 20 ? 0x000fffffu : 0xfff00000u) & group.here();
  const auto from = [&](unsigned source) { return source < kGroup && (mask >> source & 1) ? source : lane; };
  const auto middle = [&](unsigned source) {
    return static_cast<unsigned short>(group.value(from(source)) >> 7);
  };
  if (lane < 20) {
    const Long small = static_cast<unsigned char>(group.value(from(lane - place + lane * 7 % size)));
    return small * 1000003 + middle(by <= place ? lane - by : lane);
  }
  const unsigned across = (lane ^ by) > (lane | (size - 1)) ? lane : lane ^ by;
  return middle(by < size - place ? lane + by : lane) * 1000003ull +
         (static_cast<Long>(group.value(from(across))) << 9);
}

Long byKey(int keys, const Group& group, unsigned lane) {
  const unsigned own = group.value(lane), n = static_cast<unsigned>(keys);
  const unsigned mine = group.where([&](unsigned other) { return group.value(other) % n == own % n; });
  const auto with = [&](auto test) {
    return mine & group.where([&](unsigned other) { return test(group.value(other)); });
  };
  Long got = 0;
  if (own % n % 2 == 0) {
    const unsigned same = with([&](unsigned value) { return (value & 1) == (own & 1); });
    got = with([](unsigned value) { return (value & 64) != 0; });
    got = got * 31 + with([&](unsigned value) { return (value & 3) == (own & 3); });
    got = got * 31 + (same == mine ? mine : 0);
    got = got * 31 + (same == mine ? 1 : 0);
  } else {
    const unsigned holds = with([](unsigned value) { return (value & 128) != 0; });
    unsigned sum = 0;
    for (unsigned other = 0; other < group.lanes; ++other) sum += mine >> other & 1 ? group.first + other : 0;
    got = holds != 0;
    got = got * 31 + (holds == mine);
    got = got * 31 + sum;
  }
  return got * 31 + group.here();
}

Long latecomers(const Group& group, unsigned lane) {
  const unsigned mask = lane < 8 ? 0x000000ffu : lane < 24 ? 0x00ffff00u : 0xff000000u;
  const auto ballot = [&](unsigned bit) {
    return mask & group.where([&](unsigned other) { return (group.value(other) & bit) != 0; });
  };
  const Long given = lane < 16 ? 0 : group.value(lane < 24 ? 16 : 24);
  return (given * 31 + ballot(1)) * 31 + ballot(2);
}

Long reductions(int keys, const Group& group, unsigned lane) {
  const unsigned n = static_cast<unsigned>(keys);
  unsigned sum = 0, inOrder = 0, members = 0;
  int least = 0;
  Long different = 0;
  float fractions = 0;
  for (unsigned other = 0; other < group.lanes; ++other) {
    const unsigned value = group.value(other);
    if (value % n != group.value(lane) % n) continue;
    const bool first = members++ == 0;
    sum += value;
    least = first || static_cast<int>(value) < least ? static_cast<int>(value) : least;
    different ^= static_cast<Long>(value) << 13;
    fractions = first ? fraction(value) : fractions + fraction(value);
    inOrder = first ? value : inOrder * 31 + value;
  }
  unsigned bits = 0;
  std::memcpy(&bits, &fractions, sizeof bits);
  return (((static_cast<Long>(sum) * 31 + static_cast<unsigned>(least)) * 31 + different) * 31 + bits) * 31 +
         inOrder;
}

}  // namespace host

int wrongOf(const char* name, dim3 block, std::function<void(Long*)> launch,
            std::function<Long(const host::Group&, unsigned)> expected) {
  const unsigned threads = block.x * block.y * block.z;
  Long* out = nullptr;
  if (musaMallocManaged(&out, kMost * sizeof *out) != musaSuccess) return 1;
  launch(out);
  if (musaDeviceSynchronize() != musaSuccess) return std::printf("%s: failed\n", name), 1;
  int wrong = 0;
  for (unsigned i = 0; i < threads; ++i) {
    const unsigned first = i / kGroup * kGroup;
    const host::Group group{first, threads - first < kGroup ? threads - first : kGroup};
    if (out[i] == expected(group, i - first)) continue;
    if (wrong++ == 0) std::printf("%s: thread %u of %u x %u x %u\n", name, i, block.x, block.y, block.z);
  }
  musaFree(out);
  return wrong;
}

int main() {
  using namespace std::placeholders;
  int wrong = 0;
  for (const dim3 block : {dim3(256), dim3(kMost), dim3(100), dim3(12, 5, 2), dim3(32, 4)}) {
    wrong += wrongOf("twoPlaces", block, [&](Long* out) { twoPlaces<<<1, block>>>(out); }, host::twoPlaces);
    wrong +=
        wrongOf("latecomers", block, [&](Long* out) { latecomers<<<1, block>>>(out); }, host::latecomers);
    for (const int width : {2, 8, 32}) {
      wrong += wrongOf(
          "distances", block, [&](Long* out) { distances<<<1, block>>>(width, out); },
          std::bind(host::distances, width, _1, _2));
    }
    for (const int keys : {1, 3, 7, 60}) {
      wrong += wrongOf(
          "byKey", block, [&](Long* out) { byKey<<<1, block>>>(keys, out); },
          std::bind(host::byKey, keys, _1, _2));
      wrong += wrongOf(
          "reductions", block, [&](Long* out) { reductions<<<1, block>>>(keys, out); },
          std::bind(host::reductions, keys, _1, _2));
    }
  }
  std::printf("%d wrong\n", wrong);
  return wrong != 0;
}
