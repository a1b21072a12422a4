// NVML in C: the devices that there are, and what this program has of the first.
#include <cuda_runtime_api.h>
#include <nvml.h>
#include <stdio.h>

int main(void) {
  nvmlDevice_t device;
  unsigned int count = 0;
  nvmlMemory_t memory = {0};
  char name[NVML_DEVICE_NAME_BUFFER_SIZE] = "";
  void* pointer = NULL;
  if (nvmlInit() != NVML_SUCCESS || nvmlDeviceGetCount(&count) != NVML_SUCCESS) return 1;
  if (nvmlDeviceGetHandleByIndex(0, &device) != NVML_SUCCESS) return 1;
  if (cudaMalloc(&pointer, 32 << 20) != cudaSuccess) return 1;
  if (nvmlDeviceGetMemoryInfo(device, &memory) != NVML_SUCCESS) return 1;
  if (nvmlDeviceGetName(device, name, sizeof name) != NVML_SUCCESS) return 1;
  printf("%u %s %llu\n", count, name, memory.used >> 20);
  return nvmlShutdown();
}
