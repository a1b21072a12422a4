// links: driver
// Streams through the driver: what they are asked, in what order arguments are checked.
#include "../../framework/gate.h"
#include "../../framework/observe_driver.h"

CONFORMANCE_CASE("stream.driver_streams");

namespace {

void onHost(void* count) { ++*static_cast<int*>(count); }
void onCallback(CUstream, CUresult result, void* seen) { *static_cast<CUresult*>(seen) = result; }

}  // namespace

int main() {
  useFirstDevice();
  CUcontext current = nullptr;
  SETUP(cuCtxGetCurrent(&current));
  CUstream stream = nullptr, blocking = nullptr, urgent = nullptr;
  OBSERVE("create_null", cuStreamCreate(nullptr, CU_STREAM_DEFAULT));
  OBSERVE("create_bad_flags", cuStreamCreate(&stream, 2));
  OBSERVE("create", cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  OBSERVE("create_blocking", cuStreamCreate(&blocking, CU_STREAM_DEFAULT));
  OBSERVE("create_priority_null", cuStreamCreateWithPriority(nullptr, 0, 0));
  OBSERVE("create_priority_flags", cuStreamCreateWithPriority(&urgent, 2, 0));
  OBSERVE("create_priority_beyond", cuStreamCreateWithPriority(&urgent, CU_STREAM_NON_BLOCKING, -1000));
  int least = 0, greatest = 0, priority = 77;
  SETUP(cuCtxGetStreamPriorityRange(&least, &greatest));
  OBSERVE("priority", cuStreamGetPriority(urgent, &priority));
  OBSERVE("priority_clamped", priority == greatest);
  OBSERVE("priority_default", cuStreamGetPriority(stream, &priority));
  OBSERVE("priority_default_value", priority);
  OBSERVE("priority_of_null_stream", cuStreamGetPriority(nullptr, &priority));
  OBSERVE("priority_of_null_stream_value", priority);
  OBSERVE("priority_null", cuStreamGetPriority(stream, nullptr));
  OBSERVE("range_nulls", cuCtxGetStreamPriorityRange(nullptr, nullptr));

  unsigned flags = 77;
  OBSERVE("flags", cuStreamGetFlags(stream, &flags));
  OBSERVE("flags_value", flags);
  OBSERVE("flags_blocking", cuStreamGetFlags(blocking, &flags));
  OBSERVE("flags_blocking_value", flags);
  OBSERVE("flags_null_stream", cuStreamGetFlags(nullptr, &flags));
  OBSERVE("flags_null_stream_value", flags);
  OBSERVE("flags_legacy", cuStreamGetFlags(CU_STREAM_LEGACY, &flags));
  OBSERVE("flags_legacy_value", flags);
  OBSERVE("flags_per_thread", cuStreamGetFlags(CU_STREAM_PER_THREAD, &flags));
  OBSERVE("flags_per_thread_value", flags);
  OBSERVE("flags_null", cuStreamGetFlags(stream, nullptr));

  unsigned long long id = 0, other = 0;
  OBSERVE("id", cuStreamGetId(stream, &id));
  OBSERVE("id_other", cuStreamGetId(blocking, &other));
  OBSERVE("ids_differ", id != other);
  OBSERVE("id_null_stream", cuStreamGetId(nullptr, &id));
  OBSERVE("id_legacy", cuStreamGetId(CU_STREAM_LEGACY, &other));
  OBSERVE("id_null_is_legacy", id == other);
  OBSERVE("id_null", cuStreamGetId(stream, nullptr));
  CUcontext context = nullptr;
  OBSERVE("context", cuStreamGetCtx(stream, &context));
  OBSERVE("context_is_current", context == current);
  OBSERVE("context_null_stream", cuStreamGetCtx(nullptr, &context));
  OBSERVE("context_null", cuStreamGetCtx(stream, nullptr));
  CUdevice device = -7;
  OBSERVE("device", cuStreamGetDevice(stream, &device));
  OBSERVE("device_value", device);
  OBSERVE("device_null_stream", cuStreamGetDevice(nullptr, &device));
  OBSERVE("device_null", cuStreamGetDevice(stream, nullptr));

  // Host work.
  int count = 0;
  CUresult seen = CUDA_ERROR_UNKNOWN;
  OBSERVE("host", cuLaunchHostFunc(stream, onHost, &count));
  OBSERVE("host_null", cuLaunchHostFunc(stream, nullptr, &count));
  OBSERVE("callback", cuStreamAddCallback(stream, onCallback, &seen, 0));
  OBSERVE("callback_null", cuStreamAddCallback(stream, nullptr, &seen, 0));
  OBSERVE("callback_flags", cuStreamAddCallback(stream, onCallback, &seen, 1));
  OBSERVE("callback_null_flags", cuStreamAddCallback(stream, nullptr, &seen, 1));
  OBSERVE("synchronise", cuStreamSynchronize(stream));
  OBSERVE("host_calls", count);
  OBSERVE("callback_saw", seen);

  {
    Gate gate;
    gate.block(stream);
    OBSERVE("query_pending", cuStreamQuery(stream));
    OBSERVE("query_other", cuStreamQuery(blocking));
    gate.open();
  }
  SETUP(cuStreamSynchronize(stream));
  OBSERVE("query", cuStreamQuery(stream));
  OBSERVE("query_null_stream", cuStreamQuery(nullptr));

  // Attributes.
  CUstreamAttrValue value = {};
  OBSERVE("get_policy", cuStreamGetAttribute(stream, CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value));
  OBSERVE("policy", static_cast<int>(value.syncPolicy));
  value.syncPolicy = CU_SYNC_POLICY_YIELD;
  OBSERVE("set_policy", cuStreamSetAttribute(stream, CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value));
  OBSERVE("copy_attributes", cuStreamCopyAttributes(blocking, stream));
  value.syncPolicy = CU_SYNC_POLICY_AUTO;
  OBSERVE("get_copied", cuStreamGetAttribute(blocking, CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value));
  OBSERVE("policy_copied", static_cast<int>(value.syncPolicy));
  value.syncPolicy = static_cast<CUsynchronizationPolicy>(99);
  OBSERVE("set_unknown_policy",
          cuStreamSetAttribute(stream, CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value));
  OBSERVE("get_unknown", cuStreamGetAttribute(stream, static_cast<CUstreamAttrID>(99), &value));
  OBSERVE("set_unknown", cuStreamSetAttribute(stream, static_cast<CUstreamAttrID>(99), &value));
  OBSERVE("get_priority_attribute", cuStreamGetAttribute(urgent, CU_LAUNCH_ATTRIBUTE_PRIORITY, &value));
  OBSERVE("priority_attribute_greatest", value.priority == greatest);

  int plain = 0;
  OBSERVE("attach_host_memory",
          cuStreamAttachMemAsync(stream, reinterpret_cast<CUdeviceptr>(&plain), 0, CU_MEM_ATTACH_SINGLE));
  OBSERVE("attach_null", cuStreamAttachMemAsync(stream, 0, 0, CU_MEM_ATTACH_SINGLE));
  OBSERVE("destroy_null", cuStreamDestroy(nullptr));
  OBSERVE("destroy_legacy", cuStreamDestroy(CU_STREAM_LEGACY));
  OBSERVE("destroy_per_thread", cuStreamDestroy(CU_STREAM_PER_THREAD));
  OBSERVE("destroy", cuStreamDestroy(stream));
  OBSERVE("last", cuCtxSynchronize());
}
