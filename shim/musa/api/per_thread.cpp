// Entries for programs whose default stream is per thread, where the stream is not a parameter of its own or
// nothing asynchronous does the same. The others are generated (shim/codegen/per_thread.py).
#include "musa/api/per_thread.h"

#include "musa_per_thread.h"

using namespace musashim::musa;

namespace {

// As rows of one line: such copies are of arrays of one dimension.
MUresult copied(MUSA_MEMCPY2D& copy, size_t bytes) {
  copy.WidthInBytes = bytes;
  copy.Height = 1;
  return waitedFor(muMemcpy2DAsync(&copy, MU_STREAM_PER_THREAD));
}

void from(MUSA_MEMCPY2D& copy, MUarray array, size_t offset) {
  copy.srcMemoryType = MU_MEMORYTYPE_ARRAY;
  copy.srcArray = array;
  copy.srcXInBytes = offset;
}

void to(MUSA_MEMCPY2D& copy, MUarray array, size_t offset) {
  copy.dstMemoryType = MU_MEMORYTYPE_ARRAY;
  copy.dstArray = array;
  copy.dstXInBytes = offset;
}

}  // namespace

extern "C" {

MUresult muLaunchKernelEx_ptsz(const MUlaunchConfig* config, MUfunction f, void** kernelParams,
                               void** extra) {
  if (!config) return muLaunchKernelEx(config, f, kernelParams, extra);
  MUlaunchConfig changed = *config;
  changed.hStream = perThread(config->hStream);
  return muLaunchKernelEx(&changed, f, kernelParams, extra);
}

MUresult muGraphInstantiateWithParams_ptsz(MUgraphExec* phGraphExec, MUgraph hGraph,
                                           MUSA_GRAPH_INSTANTIATE_PARAMS* instantiateParams) {
  if (instantiateParams) instantiateParams->hUploadStream = perThread(instantiateParams->hUploadStream);
  return muGraphInstantiateWithParams(phGraphExec, hGraph, instantiateParams);
}

MUresult muMemcpy2DUnaligned_v2_ptds(const MUSA_MEMCPY2D* pCopy) {
  return waitedFor(muMemcpy2DAsync(pCopy, MU_STREAM_PER_THREAD));
}

MUresult muMemcpyDtoA_ptds(MUarray dstArray, size_t dstOffset, MUdeviceptr srcDevice, size_t ByteCount) {
  MUSA_MEMCPY2D copy{};
  copy.srcMemoryType = MU_MEMORYTYPE_DEVICE;
  copy.srcDevice = srcDevice;
  to(copy, dstArray, dstOffset);
  return copied(copy, ByteCount);
}

MUresult muMemcpyAtoD_ptds(MUdeviceptr dstDevice, MUarray srcArray, size_t srcOffset, size_t ByteCount) {
  MUSA_MEMCPY2D copy{};
  from(copy, srcArray, srcOffset);
  copy.dstMemoryType = MU_MEMORYTYPE_DEVICE;
  copy.dstDevice = dstDevice;
  return copied(copy, ByteCount);
}

MUresult muMemcpyAtoA_ptds(MUarray dstArray, size_t dstOffset, MUarray srcArray, size_t srcOffset,
                           size_t ByteCount) {
  MUSA_MEMCPY2D copy{};
  from(copy, srcArray, srcOffset);
  to(copy, dstArray, dstOffset);
  return copied(copy, ByteCount);
}

}  // extern "C"
