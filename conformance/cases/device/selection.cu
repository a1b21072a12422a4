// Which device a host thread works on, and what a bad choice gives.
// requires: devices>=2
#include <thread>

#include "../../framework/observe.h"

CONFORMANCE_CASE("device.selection");

int main() {
  int count = 0;
  OBSERVE("count", cudaGetDeviceCount(&count));
  OBSERVE("count_value", count);
  OBSERVE("count_null", cudaGetDeviceCount(nullptr));

  int device = -1;
  OBSERVE("get", cudaGetDevice(&device));
  OBSERVE("get_value", device);
  OBSERVE("get_null", cudaGetDevice(nullptr));

  OBSERVE("set_negative", cudaSetDevice(-1));
  OBSERVE("set_past_end", cudaSetDevice(count));
  OBSERVE("last_error_after_bad_set", cudaGetLastError());
  cudaGetDevice(&device);
  OBSERVE("unchanged_by_bad_set", device);

  OBSERVE("set", cudaSetDevice(1));
  int seenByThread = -1;
  std::thread([&] { cudaGetDevice(&seenByThread); }).join();
  OBSERVE("new_thread_starts_on", seenByThread);
  cudaGetDevice(&device);
  OBSERVE("this_thread_is_on", device);
}
