// Ranges of its own, and collectives: in groups of two ranks, at once and behind work of the streams.
#include <mccl.h>
#include <mttx3/mtToolsExt.h>
#include <musa_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <thread>

#define MUST(call) \
  if ((call) != 0) std::printf("line %d\n", __LINE__), std::exit(1)

__global__ void spin(long long ticks) {
  const long long start = clock64();
  while (clock64() - start < ticks) {
  }
}

int main() {
  constexpr size_t kCount = 1 << 18;
  mcclComm_t comms[2];
  musaStream_t streams[2];
  float* data[2];
  MUST(mcclCommInitAll(comms, 2, nullptr));
  for (int device = 0; device < 2; ++device) {
    MUST(musaSetDevice(device));
    MUST(musaStreamCreate(&streams[device]));
    MUST(musaMalloc(&data[device], 2 * kCount * sizeof(float)));
  }
  mttxRangePushA("training");
  const mttxRangeId_t across = mttxRangeStartA("across threads");
  for (int round = 0; round < 3; ++round) {
    mttxRangePushA("step \"1\"");
    if (round > 0) {
      MUST(musaSetDevice(0));
      spin<<<1, 1, 0, streams[0]>>>(20'000'000);  // so the group finds a stream that is busy
    }
    MUST(mcclGroupStart());
    for (int rank = 0; rank < 2; ++rank)
      MUST(mcclAllReduce(data[rank], data[rank], kCount, mcclFloat, mcclSum, comms[rank], streams[rank]));
    MUST(mcclGroupEnd());
    mttxRangePop();
  }
  mttxMarkA("half");
  MUST(mcclGroupStart());
  for (int rank = 0; rank < 2; ++rank)
    MUST(mcclAllGather(data[rank], data[rank], kCount / 2, mcclFloat, comms[rank], streams[rank]));
  MUST(mcclGroupEnd());
  for (int device = 0; device < 2; ++device) {
    MUST(musaSetDevice(device));
    MUST(musaStreamSynchronize(streams[device]));
  }
  std::thread([across] { mttxRangeEnd(across); }).join();
  mttxRangePop();
}
