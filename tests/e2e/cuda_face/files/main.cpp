// A file to a device and back, on a stream.
#include <cuda_runtime.h>
#include <cufile.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <vector>

int main() {
  const int count = 30000;
  std::vector<int> values(count), back(count);
  for (int i = 0; i < count; ++i) values[i] = i * i;
  const int source = open("source", O_RDWR | O_CREAT | O_TRUNC, 0644), copy = open("copy", O_RDWR | O_CREAT | O_TRUNC, 0644);
  size_t size = count * sizeof(int);
  if (write(source, values.data(), size) != static_cast<ssize_t>(size)) return 1;

  CUfileError_t status = cuFileDriverOpen();
  CUfileHandle_t handles[2];
  for (int i = 0; i < 2; ++i) {
    CUfileDescr_t description;
    memset(&description, 0, sizeof description);
    description.handle.fd = i == 0 ? source : copy;
    description.type = CU_FILE_HANDLE_TYPE_OPAQUE_FD;
    if (status.err == CU_FILE_SUCCESS) status = cuFileHandleRegister(&handles[i], &description);
  }
  if (status.err != CU_FILE_SUCCESS) {
    printf("%s\n", cufileop_status_error(status.err));
    return 2;
  }
  void* memory = nullptr;
  cudaMalloc(&memory, size);
  if (cuFileBufRegister(memory, size, 0).err != CU_FILE_SUCCESS) return 3;
  if (cuFileRead(handles[0], memory, size, 0, 0) != static_cast<ssize_t>(size)) return 4;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  off_t zero = 0;
  ssize_t written = 0;
  if (cuFileWriteAsync(handles[1], memory, &size, &zero, &zero, &written, stream).err != CU_FILE_SUCCESS) return 5;
  cudaStreamSynchronize(stream);
  if (written != static_cast<ssize_t>(size) || pread(copy, back.data(), size, 0) != static_cast<ssize_t>(size)) return 6;
  cuFileBufDeregister(memory);
  for (CUfileHandle_t handle : handles) cuFileHandleDeregister(handle);
  cuFileDriverClose();
  cudaFree(memory);
  int wrong = 0;
  for (int i = 0; i < count; ++i) wrong += back[i] != values[i];
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
