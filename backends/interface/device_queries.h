// What device code may ask about devices (dynamic parallelism). Their numbers and attributes are
// the caller's, so the caller answers.
#pragma once

namespace musashim::backend {

struct DeviceQueries {
  int ordinal = 0;  // of the device itself
  int (*count)() = nullptr;
  // False when there is no such attribute or device. Any thread may call.
  bool (*attribute)(int id, int ordinal, int& value) = nullptr;
};

}  // namespace musashim::backend
