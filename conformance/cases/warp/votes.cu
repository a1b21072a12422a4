// Votes and matches.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("warp.votes");

constexpr unsigned kAll = 0xffffffffu;

__global__ void vote(unsigned* out) {
  const int lane = static_cast<int>(threadIdx.x);
  const unsigned ballot = __ballot_sync(kAll, lane % 3 == 0);
  const int all = __all_sync(kAll, lane < 32);
  const int notAll = __all_sync(kAll, lane != 7);
  const int any = __any_sync(kAll, lane == 31);
  const int none = __any_sync(kAll, lane > 31);
  const unsigned active = __activemask();
  if (lane == 9) {
    out[0] = ballot;
    out[1] = all != 0;
    out[2] = notAll != 0;
    out[3] = any != 0;
    out[4] = none != 0;
    out[5] = active;
  }
}

__global__ void match(unsigned* out) {
  const int lane = static_cast<int>(threadIdx.x);
  out[lane] = __match_any_sync(kAll, lane / 5);
  int same = -1;
  const unsigned allSame = __match_all_sync(kAll, 42, &same);
  int different = -1;
  const unsigned notSame = __match_all_sync(kAll, lane == 3 ? 1ll : 2ll, &different);
  if (lane == 0) {
    out[32] = allSame;
    out[33] = static_cast<unsigned>(same != 0);
    out[34] = notSame;
    out[35] = static_cast<unsigned>(different != 0);
  }
}

__global__ void partWarp(unsigned* out) {
  const unsigned ballot = __ballot_sync(__activemask(), threadIdx.x % 2 == 1);
  if (threadIdx.x == 0) out[0] = ballot;
}

int main() {
  DeviceArray<unsigned> out(36);
  vote<<<1, 32>>>(out.data());
  std::vector<unsigned> read = out.read();
  OBSERVE("ballot", hex(read[0]));
  OBSERVE("all_true", read[1]);
  OBSERVE("all_false", read[2]);
  OBSERVE("any_true", read[3]);
  OBSERVE("any_false", read[4]);
  OBSERVE("active", hex(read[5]));
  match<<<1, 32>>>(out.data());
  read = out.read();
  OBSERVE("match_any", joined(std::vector<unsigned>(read.begin(), read.begin() + 32)));
  OBSERVE("match_all", hex(read[32]));
  OBSERVE("match_all_flag", read[33]);
  OBSERVE("match_not_all", hex(read[34]));
  OBSERVE("match_not_all_flag", read[35]);
  partWarp<<<1, 20>>>(out.data());
  OBSERVE("part_of_warp", hex(out.read()[0]));
}
