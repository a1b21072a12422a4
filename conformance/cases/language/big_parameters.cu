// Parameters of many shapes, up to the 4096 bytes that every architecture has.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("language.big_parameters");

struct Table {
  int values[1000];
  double scale;
};
struct Empty {};
struct alignas(32) Aligned {
  char tag;
  long long number;
};
struct Odd {
  char name[13];
  short code;
};
struct Bits {
  unsigned a : 3, b : 9, c : 20;
  bool flag;
};

__global__ void indexed(Table table, int* out) {
  // Each thread changes its own copy.
  const int me = static_cast<int>(threadIdx.x);
  table.values[me] += 1;
  int sum = 0;
  for (int i = 0; i < 1000; i += 10) sum += table.values[(i + me) % 1000];
  out[me] = sum * static_cast<int>(table.scale);
}

__global__ void mixed(char a, Aligned b, short c, Empty, Odd d, float e, Bits f, const int* g, bool h,
                      double i, Odd j, long long* out) {
  if (threadIdx.x != 1) return;
  __shared__ long long sum;
  sum = a + b.tag * 3 + b.number + c * 5 + d.name[12] + d.code * 7;
  sum += static_cast<int>(e * 4) + f.a + f.b * 11 + f.c * 13 + f.flag + g[2] + (h ? 17 : 19) +
         static_cast<long long>(i);
  out[0] = sum + j.name[0] * 23 + j.code;
  out[1] = reinterpret_cast<size_t>(&b) % 32 == 0;
}

// Parameters live across barriers, and their addresses may be taken.
__device__ __noinline__ int element(const Table* table, int i) { return table->values[i]; }
__global__ void acrossBarriers(Table table, int* out) {
  __shared__ int shared[64];
  const int me = static_cast<int>(threadIdx.x);
  int sum = 0;
  for (int round = 0; round < 3; ++round) {
    shared[me] = element(&table, me + round);
    __syncthreads();
    table.values[me + round + 1] += shared[63 - me];
    sum += element(&table, me + round + 1);
    __syncthreads();
  }
  out[me] = sum;
}

int main() {
  Table table;
  for (int i = 0; i < 1000; ++i) table.values[i] = i * 3 % 17;
  table.scale = 2;
  DeviceArray<int> out(64);
  indexed<<<1, 64>>>(table, out.data());
  OBSERVE("indexed", joined(out.read()));
  acrossBarriers<<<1, 64>>>(table, out.data());
  OBSERVE("across_barriers", joined(out.read()));

  DeviceArray<int> numbers(std::vector<int>{1, 2, 4000});
  DeviceArray<long long> sums(2);
  const Odd first = {"abcdefghijkl", 300}, second = {"mnopqrstuvwx", -5};
  Bits bits;
  bits.a = 5;
  bits.b = 300;
  bits.c = 70000;
  bits.flag = true;
  mixed<<<1, 2>>>(7, Aligned{3, 1ll << 40}, -9, Empty(), first, 2.5f, bits, numbers.data(), true, 1e6, second,
                  sums.data());
  OBSERVE("mixed", joined(sums.read()));
}
