// Jumps and predicates of inline PTX, vectors that others write, orders, and copies that do not wait.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("language.ptx_flow");

__device__ unsigned steps(unsigned n) {
  unsigned count;
  asm volatile(
      "{ .reg .pred p, odd; .reg .u32 v, t; mov.u32 %0, 0; mov.u32 v, %1; "
      "LOOP: setp.le.u32 p, v, 1; @p bra DONE; and.b32 t, v, 1; setp.ne.u32 odd, t, 0; "
      "@odd mul.lo.u32 v, v, 3; @odd add.u32 v, v, 1; @!odd shr.u32 v, v, 1; add.u32 %0, %0, 1; bra LOOP; "
      "DONE: }"
      : "=r"(count)
      : "r"(n));
  return count;
}

__global__ void jumps(unsigned* out) {
  out[threadIdx.x] = steps(threadIdx.x) * 1000;
  out[threadIdx.x] += steps(threadIdx.x + 27);
}

// Blocks hand lines of 16 bytes on, as collective libraries do: data and flag travel together.
__global__ void lines(uint4* line, unsigned* out) {
  uint4* mine = line + threadIdx.x;
  if (blockIdx.x == 0) {
    const unsigned a = threadIdx.x * 3, b = threadIdx.x ^ 85u;
    asm volatile("st.volatile.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(mine), "r"(a), "r"(1u), "r"(b),
                 "r"(1u)
                 : "memory");
  } else {
    unsigned a, b, first, second;
    do {
      asm volatile("ld.volatile.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                   : "=r"(a), "=r"(first), "=r"(b), "=r"(second)
                   : "l"(mine)
                   : "memory");
    } while (first != 1u || second != 1u);
    out[threadIdx.x] = a + b;
  }
}

__global__ void wideLines(ulonglong2* line, unsigned long long* out) {
  ulonglong2* mine = line + threadIdx.x;
  if (blockIdx.x == 0) {
    asm volatile("st.volatile.global.v2.u64 [%0], {%1, %2};" ::"l"(mine), "l"(threadIdx.x * 1000ull),
                 "l"(9ull)
                 : "memory");
  } else {
    unsigned long long data, flag;
    do {
      asm volatile("ld.volatile.global.v2.u64 {%0, %1}, [%2];"
                   : "=l"(data), "=l"(flag)
                   : "l"(mine)
                   : "memory");
    } while (flag != 9ull);
    out[threadIdx.x] = data;
  }
}

__global__ void copies(const int4* in, int* out, int some) {
  __shared__ int4 tile[3][32];
  const unsigned me = threadIdx.x;
  const auto at = [&](int row) { return static_cast<unsigned>(__cvta_generic_to_shared(&tile[row][me])); };
  tile[0][me] = tile[1][me] = tile[2][me] = make_int4(-1, -1, -1, -1);
  asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], %2;" ::"r"(at(0)), "l"(in + me),
               "n"(sizeof(int4)));
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(at(1)), "l"(in + me), "n"(16),
               "r"(some));
  asm volatile(
      "{ .reg .pred p; setp.ne.b32 p, %0, 0; @p cp.async.cg.shared.global [%1], [%2], 16; "
      "@!p st.shared.v4.u32 [%1], {%3, %3, %3, %3}; }" ::"r"(static_cast<int>(me % 2)),
      "r"(at(2)), "l"(in + me), "r"(5));
  asm volatile("cp.async.commit_group;");
  asm volatile("cp.async.wait_group %0;" ::"n"(0));
  __syncthreads();
  for (int row = 0; row < 3; ++row) {
    const int4 v = tile[row][31 - me];
    out[unsigned(row) * 32 + me] = v.x + 3 * v.y + 5 * v.z + 7 * v.w;
  }
}

__global__ void orders(int* words, unsigned* lanes) {
  int old;
  asm volatile("atom.add.release.gpu.global.s32 %0, [%1], %2;" : "=r"(old) : "l"(words), "r"(2) : "memory");
  asm volatile("atom.acq_rel.gpu.global.max.s32 %0, [%1], %2;"
               : "=r"(old)
               : "l"(words + 1), "r"(static_cast<int>(threadIdx.x) * 3)
               : "memory");
  asm volatile("red.release.gpu.global.or.b32 [%0], %1;" ::"l"(words + 2), "r"(1u << threadIdx.x % 32)
               : "memory");
  asm volatile("fence.acq_rel.gpu;" ::: "memory");
  asm volatile("prefetch.global.L2 [%0];" ::"l"(words));
  unsigned rank, size, which;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
  asm volatile("mov.u32 %0, %%clusterid.x;" : "=r"(which));
  if (threadIdx.x == 0) lanes[blockIdx.x] = rank * 100 + size * 10 + which;
}

int main() {
  const DeviceArray<unsigned> counts(64);
  jumps<<<1, 64>>>(counts.data());
  OBSERVE("steps", joined(counts.read()));
  const DeviceArray<uint4> line(std::vector<uint4>(32, make_uint4(0, 0, 0, 0)));
  const DeviceArray<unsigned> out(32);
  lines<<<2, 32>>>(line.data(), out.data());
  OBSERVE("lines", joined(out.read()));
  const DeviceArray<ulonglong2> wide(std::vector<ulonglong2>(32, make_ulonglong2(0, 0)));
  const DeviceArray<unsigned long long> longs(32);
  wideLines<<<2, 32>>>(wide.data(), longs.data());
  OBSERVE("wide_lines", joined(longs.read()));
  std::vector<int4> rows;
  for (int i = 0; i < 32; ++i) rows.push_back(make_int4(i, i * i, 7 - i, i << 8));
  const DeviceArray<int4> in(rows);
  const DeviceArray<int> copied(3 * 32);
  copies<<<1, 32>>>(in.data(), copied.data(), 6);
  OBSERVE("copies", joined(copied.read()));
  const DeviceArray<int> words(std::vector<int>(3, 0));
  const DeviceArray<unsigned> lanes(3);
  orders<<<3, 64>>>(words.data(), lanes.data());
  OBSERVE("orders", joined(words.read()));
  OBSERVE("clusters", joined(lanes.read()));
}
