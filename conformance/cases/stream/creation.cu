// Creating and asking streams.
#include "../../framework/observe.h"

CONFORMANCE_CASE("stream.creation");

int main() {
  cudaStream_t stream = nullptr;
  OBSERVE("create", cudaStreamCreate(&stream));
  OBSERVE("handle_is_set", stream != nullptr);
  OBSERVE("create_null", cudaStreamCreate(nullptr));
  unsigned flags = 99;
  OBSERVE("flags", cudaStreamGetFlags(stream, &flags));
  OBSERVE("flags_value", flags);
  OBSERVE("query_idle", cudaStreamQuery(stream));
  OBSERVE("synchronise_idle", cudaStreamSynchronize(stream));
  OBSERVE("destroy", cudaStreamDestroy(stream));

  OBSERVE("create_non_blocking", cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  SETUP(cudaStreamGetFlags(stream, &flags));
  OBSERVE("flags_non_blocking", flags);
  SETUP(cudaStreamDestroy(stream));
  OBSERVE("create_unknown_flags", cudaStreamCreateWithFlags(&stream, 0x80));
  OBSERVE("last_error", cudaGetLastError());

  int least = 0;
  int greatest = 0;
  OBSERVE("priority_range", cudaDeviceGetStreamPriorityRange(&least, &greatest));
  OBSERVE("least_is_zero", least);
  OBSERVE("greatest_not_above_least", greatest <= least);
  int priority = 1;
  SETUP(cudaStreamCreateWithPriority(&stream, cudaStreamDefault, greatest - 100));
  OBSERVE("priority", cudaStreamGetPriority(stream, &priority));
  OBSERVE("priority_is_clamped", priority == greatest);
  SETUP(cudaStreamDestroy(stream));

  OBSERVE("default_flags", cudaStreamGetFlags(nullptr, &flags));
  OBSERVE("default_flags_value", flags);
  OBSERVE("query_default", cudaStreamQuery(nullptr));
  OBSERVE("synchronise_default", cudaStreamSynchronize(nullptr));
  OBSERVE("synchronise_legacy", cudaStreamSynchronize(cudaStreamLegacy));
  OBSERVE("synchronise_per_thread", cudaStreamSynchronize(cudaStreamPerThread));
  OBSERVE("destroy_default", cudaStreamDestroy(nullptr));
  cudaGetLastError();
}
