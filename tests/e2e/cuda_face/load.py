"""What programs do that load CUDA's libraries by name. LD_LIBRARY_PATH says where they are."""
import ctypes

runtime, driver, nccl = (ctypes.CDLL(name) for name in ("libcudart.so", "libcuda.so.1", "libnccl.so.2"))
number, pointer = ctypes.c_int(), ctypes.c_void_p()
assert driver.cuInit(0) == 0
assert driver.cuDeviceGetCount(ctypes.byref(number)) == 0 and number.value == 3, number
assert runtime.cudaGetDeviceCount(ctypes.byref(number)) == 0 and number.value == 3, number
assert runtime.cudaMalloc(ctypes.byref(pointer), ctypes.c_size_t(64)) == 0 and pointer.value
assert runtime.cudaMemset(pointer, 1, ctypes.c_size_t(64)) == 0
word = ctypes.c_int()
assert driver.cuMemcpyDtoH_v2(ctypes.byref(word), pointer, ctypes.c_size_t(4)) == 0 and word.value == 0x01010101
assert runtime.cudaFree(pointer) == 0
assert runtime.cudaFree(ctypes.c_void_p(64)) == 1  # cudaErrorInvalidValue
assert runtime.cudaMemcpyAsync_ptsz and driver.cuLaunchKernel_ptsz and nccl.pncclAllReduce
assert nccl.ncclGetVersion(ctypes.byref(number)) == 0 and number.value > 20000
management = ctypes.CDLL("libnvidia-ml.so.1")
for name in ("nvmlInit", "nvmlInit_v2", "nvmlDeviceGetPciInfo_v3", "nvmlDeviceGetComputeRunningProcesses_v2"):
    assert hasattr(management, name), name
unsigned = ctypes.c_uint()
assert management.nvmlInit_v2() == 0
assert management.nvmlDeviceGetCount_v2(ctypes.byref(unsigned)) == 0 and unsigned.value == 3, unsigned
