// Waiting for values in memory and writing them, in stream order.
// links: driver
#include "../../framework/buffers.h"
#include "../../framework/gate.h"
#include "../../framework/observe_driver.h"

CONFORMANCE_CASE("stream.memory_values");

int main() {
  DeviceArray<unsigned> words(4);
  DeviceArray<unsigned long long> longs(2);
  cudaStream_t stream;
  cudaStream_t other;
  SETUP(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  SETUP(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  const CUdeviceptr word = reinterpret_cast<CUdeviceptr>(words.data());
  const CUdeviceptr wide = reinterpret_cast<CUdeviceptr>(longs.data());

  OBSERVE("write32", cuStreamWriteValue32(stream, word, 7, CU_STREAM_WRITE_VALUE_DEFAULT));
  OBSERVE("write64", cuStreamWriteValue64(stream, wide, 1ull << 40, CU_STREAM_WRITE_VALUE_DEFAULT));
  OBSERVE("write_no_barrier",
          cuStreamWriteValue32(stream, word + 4, 8, CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER));
  SETUP(cudaStreamSynchronize(stream));
  OBSERVE("words", joined(words.read()));
  OBSERVE("long", longs.read()[0]);

  OBSERVE("wait_fulfilled", cuStreamWaitValue32(stream, word, 7, CU_STREAM_WAIT_VALUE_EQ));
  OBSERVE("wait_geq", cuStreamWaitValue32(stream, word, 5, CU_STREAM_WAIT_VALUE_GEQ));
  OBSERVE("wait_and", cuStreamWaitValue32(stream, word, 4, CU_STREAM_WAIT_VALUE_AND));
  OBSERVE("wait_nor", cuStreamWaitValue32(stream, word, 8, CU_STREAM_WAIT_VALUE_NOR));
  OBSERVE("wait_geq_cyclic", cuStreamWaitValue32(stream, word, 0xfffffff0u, CU_STREAM_WAIT_VALUE_GEQ));
  OBSERVE("wait64", cuStreamWaitValue64(stream, wide, 1ull << 40, CU_STREAM_WAIT_VALUE_GEQ));
  OBSERVE("all_fulfilled", cudaStreamSynchronize(stream));

  OBSERVE("wait_for_other", cuStreamWaitValue32(stream, word + 8, 1, CU_STREAM_WAIT_VALUE_EQ));
  storeValue<<<1, 1, 0, stream>>>(reinterpret_cast<int*>(words.data() + 3), 99);
  OBSERVE("waits", cudaStreamQuery(stream));
  OBSERVE("write_by_other", cuStreamWriteValue32(other, word + 8, 1, 0));
  OBSERVE("finishes", cudaStreamSynchronize(stream));
  OBSERVE("words_after", joined(words.read()));

  OBSERVE("write_unknown_flags", cuStreamWriteValue32(stream, word, 1, 0x80));
  OBSERVE("wait_unknown_flags", cuStreamWaitValue32(stream, word, 1, 0x80));

  CUstreamBatchMemOpParams batch[3] = {};
  batch[0].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
  batch[0].writeValue.address = word;
  batch[0].writeValue.value = 21;
  batch[1].waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
  batch[1].waitValue.address = word;
  batch[1].waitValue.value = 21;
  batch[1].waitValue.flags = CU_STREAM_WAIT_VALUE_EQ;
  batch[2].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_64;
  batch[2].writeValue.address = wide + 8;
  batch[2].writeValue.value64 = 5;
  OBSERVE("batch", cuStreamBatchMemOp(stream, 3, batch, 0));
  SETUP(cudaStreamSynchronize(stream));
  OBSERVE("batch_word", words.read()[0]);
  OBSERVE("batch_long", longs.read()[1]);
  OBSERVE("batch_flags", cuStreamBatchMemOp(stream, 3, batch, 1));
  batch[0].operation = static_cast<CUstreamBatchMemOpType>(99);
  OBSERVE("batch_unknown", cuStreamBatchMemOp(stream, 1, batch, 0));
}
