// Flags of a device.
#include "../../framework/observe.h"

CONFORMANCE_CASE("device.flags");

int main() {
  OBSERVE("set_unknown", cudaSetDeviceFlags(0x400));
  OBSERVE("set_blocking_sync", cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync));
  unsigned flags = 0;
  OBSERVE("get", cudaGetDeviceFlags(&flags));
  OBSERVE("schedule", flags & cudaDeviceScheduleMask);
  OBSERVE("get_null", cudaGetDeviceFlags(nullptr));
  SETUP(cudaFree(nullptr));
  OBSERVE("set_on_active_device", cudaSetDeviceFlags(cudaDeviceScheduleYield));
  SETUP(cudaGetDeviceFlags(&flags));
  OBSERVE("schedule_on_active_device", flags & cudaDeviceScheduleMask);
  OBSERVE("two_schedules", cudaSetDeviceFlags(cudaDeviceScheduleSpin | cudaDeviceScheduleYield));
}
