// Memory of one process in another: handles, who may open what, how often, and until when.
#include <string.h>

#include "../../framework/buffers.h"
#include "../../framework/processes.h"

CONFORMANCE_CASE("ipc.memory");

static constexpr unsigned kLazy = cudaIpcMemLazyEnablePeerAccess;

// What the child found, to be observed by the parent.
struct Findings {
  cudaError_t flagsZero, flagsTwo, flagsThree, nullTarget, zeroHandle;
  cudaError_t open, openAgain, attributes, freeIt, shareIt, fillPast, fillAll;
  bool sameAddress, deviceMemory, interiorSame;
  int device;
  unsigned char first, last, small;
  cudaError_t closeInterior, close, closeAgain, closeThird, closeUnknown, closeNull;
  cudaError_t openSmall, openInterior, closeInteriorHandle, freeAsync;
  cudaError_t rangeError;
  bool rangeStart;
};

struct Order {
  cudaIpcMemHandle_t big, interior, small;
  size_t bytes;
};

static int child() {
  Connection parent = parentProcess();
  const Order order = parent.receive<Order>();
  Findings found = {};
  void* memory = nullptr;
  SETUP(cudaFree(nullptr));
  found.flagsZero = cudaIpcOpenMemHandle(&memory, order.big, 0);
  if (found.flagsZero == cudaSuccess) SETUP(cudaIpcCloseMemHandle(memory));
  found.flagsTwo = cudaIpcOpenMemHandle(&memory, order.big, 2);
  if (found.flagsTwo == cudaSuccess) SETUP(cudaIpcCloseMemHandle(memory));
  found.flagsThree = cudaIpcOpenMemHandle(&memory, order.big, 3);
  if (found.flagsThree == cudaSuccess) SETUP(cudaIpcCloseMemHandle(memory));
  found.nullTarget = cudaIpcOpenMemHandle(nullptr, order.big, kLazy);
  cudaIpcMemHandle_t zero;
  memset(&zero, 0, sizeof zero);
  found.zeroHandle = cudaIpcOpenMemHandle(&memory, zero, kLazy);
  (void)cudaGetLastError();

  found.open = cudaIpcOpenMemHandle(&memory, order.big, kLazy);
  SETUP(found.open);
  void* again = nullptr;
  found.openAgain = cudaIpcOpenMemHandle(&again, order.big, kLazy);
  found.sameAddress = again == memory;
  void* interior = nullptr;
  found.openInterior = cudaIpcOpenMemHandle(&interior, order.interior, kLazy);
  found.interiorSame = interior == memory;
  if (found.openInterior == cudaSuccess) found.closeInteriorHandle = cudaIpcCloseMemHandle(interior);
  cudaPointerAttributes attributes;
  found.attributes = cudaPointerGetAttributes(&attributes, memory);
  found.deviceMemory = attributes.type == cudaMemoryTypeDevice;
  found.device = attributes.device;
  SETUP(cudaMemcpy(&found.first, memory, 1, cudaMemcpyDeviceToHost));
  SETUP(cudaMemcpy(&found.last, static_cast<char*>(memory) + order.bytes - 1, 1, cudaMemcpyDeviceToHost));
  cudaIpcMemHandle_t own;
  found.shareIt = cudaIpcGetMemHandle(&own, memory);
  (void)cudaGetLastError();
  found.fillAll = cudaMemset(memory, 0x21, order.bytes);
  SETUP(cudaDeviceSynchronize());
  void* small = nullptr;
  found.openSmall = cudaIpcOpenMemHandle(&small, order.small, kLazy);
  if (found.openSmall == cudaSuccess) {
    SETUP(cudaMemcpy(&found.small, small, 1, cudaMemcpyDeviceToHost));
    (void)cudaIpcCloseMemHandle(small);
  }

  void* mine = nullptr;
  SETUP(cudaMalloc(&mine, 64));
  found.freeIt = cudaFree(memory);
  (void)cudaGetLastError();
  found.closeUnknown = cudaIpcCloseMemHandle(mine);
  found.closeInterior = cudaIpcCloseMemHandle(static_cast<char*>(memory) + 256);
  (void)cudaGetLastError();
  found.close = cudaIpcCloseMemHandle(memory);
  found.closeAgain = cudaIpcCloseMemHandle(memory);
  found.closeThird = cudaIpcCloseMemHandle(memory);
  parent.send(found);
  return parent.receive<char>() == 'q' ? 0 : 1;
}

int main(int argc, char**) {
  if (argc > 1) return child();
  Child other("child");  // before this process has a device
  const size_t bytes = 4 << 20;
  char *big = nullptr, *first = nullptr, *small = nullptr;
  SETUP(cudaMalloc(reinterpret_cast<void**>(&big), bytes));
  SETUP(cudaMalloc(reinterpret_cast<void**>(&first), 256));
  SETUP(cudaMalloc(reinterpret_cast<void**>(&small), 256));
  SETUP(cudaMemset(big, 0x5a, bytes));
  SETUP(cudaMemset(first, 0x11, 256));
  SETUP(cudaMemset(small, 0x12, 256));
  SETUP(cudaDeviceSynchronize());

  Order order = {};
  order.bytes = bytes;
  OBSERVE("get", cudaIpcGetMemHandle(&order.big, big));
  OBSERVE("get_interior", cudaIpcGetMemHandle(&order.interior, big + 4096));
  OBSERVE("get_interior_same", memcmp(&order.big, &order.interior, sizeof order.big) == 0);
  OBSERVE("get_small", cudaIpcGetMemHandle(&order.small, small));
  cudaIpcMemHandle_t handle;
  OBSERVE("get_again", cudaIpcGetMemHandle(&handle, big));
  OBSERVE("get_again_same", memcmp(&order.big, &handle, sizeof handle) == 0);
  OBSERVE("get_null_handle", cudaIpcGetMemHandle(nullptr, big));
  OBSERVE("get_null", cudaIpcGetMemHandle(&handle, nullptr));
  int onStack = 0;
  OBSERVE("get_host", cudaIpcGetMemHandle(&handle, &onStack));
  void *pinned = nullptr, *managed = nullptr, *pooled = nullptr;
  SETUP(cudaMallocHost(&pinned, 4096));
  SETUP(cudaMallocManaged(&managed, 4096));
  SETUP(cudaMallocAsync(&pooled, 4096, nullptr));
  OBSERVE("get_pinned", cudaIpcGetMemHandle(&handle, pinned));
  OBSERVE("get_managed", cudaIpcGetMemHandle(&handle, managed));
  OBSERVE("get_stream_ordered", cudaIpcGetMemHandle(&handle, pooled));
  void* opened = nullptr;
  OBSERVE("open_own", cudaIpcOpenMemHandle(&opened, order.big, kLazy));
  (void)cudaGetLastError();

  other.send(order);
  const Findings found = other.receive<Findings>();
  OBSERVE("open", found.open);
  OBSERVE("open_flags_0", found.flagsZero);
  OBSERVE("open_flags_2", found.flagsTwo);
  OBSERVE("open_flags_3", found.flagsThree);
  OBSERVE("open_null_target", found.nullTarget);
  OBSERVE("open_zero_handle", found.zeroHandle);
  OBSERVE("open_again", found.openAgain);
  OBSERVE("open_again_same_address", found.sameAddress);
  OBSERVE("open_interior", found.openInterior);
  OBSERVE("open_interior_same_address", found.interiorSame);
  OBSERVE("open_small", found.openSmall);
  OBSERVE("attributes", found.attributes);
  OBSERVE("is_device_memory", found.deviceMemory);
  OBSERVE("device", found.device);
  OBSERVE("first_byte", static_cast<int>(found.first));
  OBSERVE("last_byte", static_cast<int>(found.last));
  OBSERVE("small_byte", static_cast<int>(found.small));
  OBSERVE("share_opened", found.shareIt);
  OBSERVE("free_opened", found.freeIt);
  OBSERVE("fill", found.fillAll);
  OBSERVE("close_unknown", found.closeUnknown);
  OBSERVE("close_interior", found.closeInterior);
  OBSERVE("close", found.close);
  OBSERVE("close_again", found.closeAgain);
  OBSERVE("close_third", found.closeThird);
  unsigned char seen = 0;
  SETUP(cudaMemcpy(&seen, big + bytes / 2, 1, cudaMemcpyDeviceToHost));
  OBSERVE("written_by_the_other", static_cast<int>(seen));
  OBSERVE("free_after", cudaFree(big));
  other.send('q');
  OBSERVE("child", other.join());
}
