#include <nvml.h>

unsigned int theirs(void) {
  unsigned int count = 0;
  return nvmlInit() == NVML_SUCCESS && nvmlDeviceGetCount(&count) == NVML_SUCCESS ? count : 0;
}
