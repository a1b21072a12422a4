#include "mtshmem/host/runtime.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>

#include "libs/core/stream_work.h"

namespace mtshmemi {

mtshmemi_state_t gState{-1, 0, nullptr, 0, {}, {}};

void HostCall::needHeap(const char* name) {
  auto& runtime = musashim::mtshmem::Runtime::get();
  if (!runtime.isBegun()) musashim::mtshmem::giveUp(name, "called before mtshmem_init()");
  try {
    runtime.needHeap();
  } catch (const std::exception& error) {
    musashim::mtshmem::giveUp(name, error.what());
  }
}

int onStream(const char* name, musaStream_t stream, std::function<void()> work) {
  { const HostCall call(name); }
  return musashim::libs::runOnStream(stream, std::move(work));
}

}  // namespace mtshmemi

namespace musashim::mtshmem {
namespace {

using mtshmemi::gState;

void check(musaError_t error, const char* what) {
  if (error != musaSuccess) throw std::runtime_error(std::string(what) + ": " + musaGetErrorString(error));
}

std::size_t heapBytes() {
  const char* const text = std::getenv("MTSHMEM_SYMMETRIC_SIZE");
  if (text == nullptr) return std::size_t{1} << 30;
  const std::size_t bytes = sizeOf(text);
  if (bytes == 0)
    throw std::runtime_error(std::string("MTSHMEM_SYMMETRIC_SIZE is '") + text + "', which is no size");
  return bytes;
}

void setTeam(int slot, int me, int size, int start, int stride) {
  gState.teams[slot] = {1, me, size, start, stride};
}

}  // namespace

void giveUp(const char* name, const std::string& why) {
  std::fprintf(stderr, "mtshmem: PE %d: %s: %s\n", gState.me, name, why.c_str());
  std::fflush(nullptr);
  std::_Exit(1);
}

Runtime& Runtime::get() {
  static Runtime* const runtime = new Runtime;  // lives as long as any thread
  return *runtime;
}

void Runtime::begin(const JobPlace& place) {
  const std::lock_guard lock(mutex_);
  if (job_) return;
  job_ = std::make_unique<Job>(place);
  gState.me = place.me;
  gState.size = place.size;
  // The world, those that share memory, those of the host; and alone, that of the other hosts.
  for (int slot = 0; slot < 3; ++slot) setTeam(slot, place.me, place.size, 0, 1);
  setTeam(3, 0, 1, place.me, 1);
}

void Runtime::end() {
  const std::lock_guard lock(mutex_);
  if (!job_) return;
  if (hasHeap()) {
    (void)musaSetDevice(device_);
    (void)musaDeviceSynchronize();
  }
  job_->barrier();
  for (int pe = 0; hasHeap() && pe < gState.size; ++pe) {
    if (pe != gState.me) (void)musaIpcCloseMemHandle(gState.peers[pe]);
  }
  job_->barrier();
  if (hasHeap()) (void)musaFree(gState.heap);
  job_->leave();
  job_.reset();
  gState = {-1, 0, nullptr, 0, {}, {}};
}

void Runtime::needHeap() {
  if (hasHeap()) return;
  const std::lock_guard lock(mutex_);
  if (hasHeap()) return;
  const std::size_t bytes = heapBytes() + sizeof(mtshmemi_heap_head_t);
  check(musaGetDevice(&device_), "musaGetDevice");
  void* memory = nullptr;
  check(musaMalloc(&memory, bytes), "no memory for the symmetric heap (MTSHMEM_SYMMETRIC_SIZE)");
  check(musaMemset(memory, 0, sizeof(mtshmemi_heap_head_t)), "musaMemset");
  check(musaDeviceSynchronize(), "musaDeviceSynchronize");
  gState.peers[gState.me] = static_cast<char*>(memory);
  openPeers();
  gState.bytes = bytes;
  plan_ = HeapPlan(sizeof(mtshmemi_heap_head_t), bytes);
  gState.heap = static_cast<char*>(memory);
  publish();
  job_->barrier();
}

void Runtime::openPeers() {
  if (gState.size == 1) return;
  musaIpcMemHandle_t handle{};
  check(musaIpcGetMemHandle(&handle, gState.peers[gState.me]), "musaIpcGetMemHandle");
  job_->exchange(handle);
  for (int pe = 0; pe < gState.size; ++pe) {
    if (pe == gState.me) continue;
    void* there = nullptr;
    check(musaIpcOpenMemHandle(&there, job_->handleOf(pe), musaIpcMemLazyEnablePeerAccess),
          "musaIpcOpenMemHandle");
    gState.peers[pe] = static_cast<char*>(there);
  }
}

void* Runtime::allocate(std::size_t bytes, std::size_t alignment) {
  needHeap();
  std::size_t place = HeapPlan::kNone;
  {
    const std::lock_guard lock(mutex_);
    // Multiples, so that what is next to it lies well, too.
    place = plan_.take((bytes + 255) & ~std::size_t{255}, alignment < 256 ? 256 : alignment);
  }
  {
    const mtshmemi::HostCall call("mtshmem_malloc");
    mtshmemi::barrier<mtshmemi::Host>(0);
  }
  return place == HeapPlan::kNone ? nullptr : gState.heap + place;
}

void Runtime::release(void* place) {
  if (place == nullptr) return;
  {
    const mtshmemi::HostCall call("mtshmem_free");
    mtshmemi::barrier<mtshmemi::Host>(0);
  }
  const std::lock_guard lock(mutex_);
  if (!plan_.give(static_cast<std::size_t>(static_cast<char*>(place) - gState.heap)))
    giveUp("mtshmem_free", "the address was not allocated, or was freed before");
}

void Runtime::addDeviceState(const void* symbol) {
  const std::lock_guard lock(mutex_);
  symbols_.push_back(symbol);
}

void Runtime::publish() {
  int before = 0;
  check(musaGetDevice(&before), "musaGetDevice");
  check(musaSetDevice(device_), "musaSetDevice");
  for (const void* symbol : symbols_) {
    check(musaMemcpyToSymbol(symbol, &gState, sizeof gState, 0, musaMemcpyHostToDevice),
          "musaMemcpyToSymbol");
  }
  check(musaSetDevice(before), "musaSetDevice");
}

}  // namespace musashim::mtshmem
