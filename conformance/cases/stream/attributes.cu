// Attributes, ids and devices of streams.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("stream.attributes");

int main() {
  int least = 0;
  int greatest = 0;
  OBSERVE("priority_range", cudaDeviceGetStreamPriorityRange(&least, &greatest));
  OBSERVE("least", least);
  OBSERVE("greatest_is_negative", greatest < 0);
  cudaStream_t stream;
  cudaStream_t urgent;
  SETUP(cudaStreamCreate(&stream));
  SETUP(cudaStreamCreateWithPriority(&urgent, cudaStreamNonBlocking, greatest));
  cudaLaunchAttributeValue value = {};
  OBSERVE("get_priority_attribute", cudaStreamGetAttribute(urgent, cudaLaunchAttributePriority, &value));
  OBSERVE("priority_attribute", value.priority == greatest);
  value.priority = 0;
  OBSERVE("set_priority_attribute", cudaStreamSetAttribute(urgent, cudaLaunchAttributePriority, &value));
  cudaGetLastError();
  value = {};
  OBSERVE("get_policy", cudaStreamGetAttribute(stream, cudaLaunchAttributeSynchronizationPolicy, &value));
  OBSERVE("policy", static_cast<int>(value.syncPolicy));
  value.syncPolicy = cudaSyncPolicyYield;
  OBSERVE("set_policy", cudaStreamSetAttribute(stream, cudaLaunchAttributeSynchronizationPolicy, &value));
  value = {};
  SETUP(cudaStreamGetAttribute(stream, cudaLaunchAttributeSynchronizationPolicy, &value));
  OBSERVE("policy_after", static_cast<int>(value.syncPolicy));
  OBSERVE("copy", cudaStreamCopyAttributes(urgent, stream));
  value = {};
  SETUP(cudaStreamGetAttribute(urgent, cudaLaunchAttributeSynchronizationPolicy, &value));
  OBSERVE("copied_policy", static_cast<int>(value.syncPolicy));
  value = {};
  OBSERVE("get_window", cudaStreamGetAttribute(stream, cudaLaunchAttributeAccessPolicyWindow, &value));
  OBSERVE("window_bytes", value.accessPolicyWindow.num_bytes);
  OBSERVE("get_cooperative", cudaStreamGetAttribute(stream, cudaLaunchAttributeCooperative, &value));
  OBSERVE("set_cooperative", cudaStreamSetAttribute(stream, cudaLaunchAttributeCooperative, &value));
  OBSERVE("get_unknown", cudaStreamGetAttribute(stream, static_cast<cudaLaunchAttributeID>(999), &value));
  OBSERVE("get_default_stream", cudaStreamGetAttribute(nullptr, cudaLaunchAttributePriority, &value));
  cudaGetLastError();

  unsigned long long a = 0;
  unsigned long long b = 0;
  unsigned long long legacy = 0;
  unsigned long long null = 0;
  unsigned long long perThread = 0;
  OBSERVE("id", cudaStreamGetId(stream, &a));
  SETUP(cudaStreamGetId(urgent, &b));
  SETUP(cudaStreamGetId(cudaStreamLegacy, &legacy));
  SETUP(cudaStreamGetId(nullptr, &null));
  SETUP(cudaStreamGetId(cudaStreamPerThread, &perThread));
  OBSERVE("ids_differ", a != b && a != legacy && legacy != perThread);
  OBSERVE("null_is_legacy", null == legacy);
  int device = -1;
  OBSERVE("device", cudaStreamGetDevice(stream, &device));
  OBSERVE("device_value", device);
  OBSERVE("device_default", cudaStreamGetDevice(nullptr, &device));
  int priority = 7;
  OBSERVE("priority_default", cudaStreamGetPriority(nullptr, &priority));
  OBSERVE("priority_default_value", priority);
  unsigned flags = 7;
  OBSERVE("flags_default", cudaStreamGetFlags(nullptr, &flags));
  OBSERVE("flags_default_value", flags);
  OBSERVE("flags_per_thread", cudaStreamGetFlags(cudaStreamPerThread, &flags));
  OBSERVE("flags_per_thread_value", flags);
}
