// Integer intrinsics.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("language.integer_intrinsics");

__global__ void bits(unsigned* out, unsigned a, unsigned b) {
  out[0] = static_cast<unsigned>(__popc(a));
  out[1] = static_cast<unsigned>(__clz(static_cast<int>(a)));
  out[2] = static_cast<unsigned>(__clz(0));
  out[3] = static_cast<unsigned>(__ffs(static_cast<int>(b)));
  out[4] = static_cast<unsigned>(__ffs(0));
  out[5] = __brev(a);
  out[6] = __byte_perm(a, b, 0x5410);
  out[7] = __byte_perm(a, b, 0x0123);
  out[8] = __byte_perm(a, b, 0x89ab);
  out[9] = __funnelshift_l(a, b, 8);
  out[10] = __funnelshift_r(a, b, 8);
  out[11] = __funnelshift_lc(a, b, 40);
  out[12] = __funnelshift_rc(a, b, 40);
}

__global__ void arithmetic(unsigned* out, int a, int b) {
  const unsigned ua = static_cast<unsigned>(a);
  const unsigned ub = static_cast<unsigned>(b);
  out[0] = static_cast<unsigned>(__mulhi(a, b));
  out[1] = __umulhi(ua, ub);
  out[2] = static_cast<unsigned>(__mul24(a, b));
  out[3] = __umul24(ua, ub);
  out[4] = __sad(a, b, 5u);
  out[5] = __usad(ua, ub, 5u);
  out[6] = static_cast<unsigned>(__hadd(a, b));
  out[7] = static_cast<unsigned>(__rhadd(a, b));
  out[8] = __uhadd(ua, ub);
  out[9] = __urhadd(ua, ub);
  out[10] = static_cast<unsigned>(min(a, b));
  out[11] = max(ua, ub);
  out[12] = static_cast<unsigned>(abs(b));
  out[13] = static_cast<unsigned>(__dp4a(a, b, 3));
}

__global__ void wide(unsigned long long* out, unsigned long long a, unsigned long long b) {
  out[0] = static_cast<unsigned long long>(__popcll(a));
  out[1] = static_cast<unsigned long long>(__clzll(static_cast<long long>(b)));
  out[2] = static_cast<unsigned long long>(__ffsll(static_cast<long long>(b)));
  out[3] = __brevll(a);
  out[4] = __umul64hi(a, b);
  out[5] = static_cast<unsigned long long>(__mul64hi(static_cast<long long>(a), static_cast<long long>(b)));
}

int main() {
  DeviceArray<unsigned> out(14);
  bits<<<1, 1>>>(out.data(), 0x12345678u, 0x9abcdef0u);
  OBSERVE("bits", joined(out.read()));
  arithmetic<<<1, 1>>>(out.data(), 0x01234567, -98765);
  OBSERVE("arithmetic", joined(out.read()));
  DeviceArray<unsigned long long> wideOut(6);
  wide<<<1, 1>>>(wideOut.data(), 0x8123456789abcdefull, 0x00f0000000001000ull);
  OBSERVE("wide", joined(wideOut.read()));
}
