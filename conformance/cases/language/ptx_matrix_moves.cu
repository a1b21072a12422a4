// ldmatrix and movmatrix of inline PTX: which lane gets which elements of which row.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("language.ptx_matrix_moves");

constexpr unsigned kRow = 24;  // elements from row to row: 48 bytes

__device__ unsigned inShared(const void* pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

// Rows in an order of their own; lanes whose addresses are not looked at have a bad one.
template <int kMatrices, bool kTransposed>
__global__ void load(unsigned* out) {
  __shared__ __align__(16) unsigned short rows[32 * kRow];
  const unsigned lane = threadIdx.x % 32;
  for (unsigned i = threadIdx.x; i < 32 * kRow; i += blockDim.x)
    rows[i] = static_cast<unsigned short>(i * 259u + 17u);
  __syncthreads();
  const unsigned row = inShared(&rows[(lane * 5 + threadIdx.x / 32) % 32 * kRow + lane % 2 * 8]);
  const unsigned address = lane < 8 * kMatrices ? row : 0xfffffff1u;
  unsigned r[4] = {0, 0, 0, 0};
  if (kMatrices == 1 && !kTransposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
                 : "=r"(r[0])
                 : "r"(address)
                 : "memory");
  if (kMatrices == 2 && !kTransposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                 : "=r"(r[0]), "=r"(r[1])
                 : "r"(address)
                 : "memory");
  if (kMatrices == 4 && !kTransposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(address)
                 : "memory");
  if (kMatrices == 1 && kTransposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];"
                 : "=r"(r[0])
                 : "r"(address)
                 : "memory");
  if (kMatrices == 2 && kTransposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                 : "=r"(r[0]), "=r"(r[1])
                 : "r"(address)
                 : "memory");
  if (kMatrices == 4 && kTransposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(address)
                 : "memory");
  for (unsigned i = 0; i < 4; ++i) out[threadIdx.x * 4 + i] = r[i];
}

template <int kMatrices, bool kTransposed>
static void observe(const char* name) {
  const DeviceArray<unsigned> out(64 * 4);
  load<kMatrices, kTransposed><<<1, 64>>>(out.data());
  OBSERVE(name, joined(out.read()));
}

__global__ void transpose(unsigned* out) {
  const unsigned value = threadIdx.x * 0x00020002u + 0x00010000u;
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(out[threadIdx.x]) : "r"(value));
}

// In a pipeline as matrix products have it: what is loaded comes by asynchronous copies, two stages ahead.
__global__ void stages(const unsigned short* in, unsigned* out, int rounds) {
  __shared__ __align__(16) unsigned short tiles[3][16 * 16];
  const unsigned lane = threadIdx.x;
  const auto copy = [&](int round) {
    if (round < rounds) {
      asm volatile(
          "cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"(inShared(&tiles[round % 3][lane * 8])),
          "l"(in + round * 256 + lane * 8)
          : "memory");
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
  };
  copy(0);
  copy(1);
  unsigned sum = 0;
  for (int round = 0; round < rounds; ++round) {
    asm volatile("cp.async.wait_group 1;" ::: "memory");
    __syncthreads();
    copy(round + 2);
    const unsigned address = inShared(&tiles[round % 3][lane % 16 * 16 + lane / 16 * 8]);
    unsigned r0, r1, r2, r3;
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r0), "=r"(r1), "=r"(r2), "=r"(r3)
                 : "r"(address)
                 : "memory");
    sum = sum * 31 + (r0 ^ r1 * 3 ^ r2 * 5 ^ r3 * 7);
  }
  out[lane] = sum;
}

int main() {
  observe<1, false>("x1");
  observe<2, false>("x2");
  observe<4, false>("x4");
  observe<1, true>("x1_transposed");
  observe<2, true>("x2_transposed");
  observe<4, true>("x4_transposed");
  const DeviceArray<unsigned> out(32);
  transpose<<<1, 32>>>(out.data());
  OBSERVE("moved", joined(out.read()));
  std::vector<unsigned short> numbers(7 * 256);
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<unsigned short>(i * i + 3 * i);
  const DeviceArray<unsigned short> in(numbers);
  stages<<<1, 32>>>(in.data(), out.data(), 7);
  OBSERVE("stages", joined(out.read()));
}
