#include "mtshmem/host/runtime.h"

#include <musa.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>

#include "core/driver_call.h"
#include "libs/core/stream_work.h"
#include "mtshmem/host/doors.h"
#include "mtshmem/host/long_waits.h"
#include "mtshmem/job/meeting.h"
#include "mtshmem/job/pmix.h"

namespace mtshmemi {

mtshmemi_state_t gState{-1, 0, nullptr, 0, {}, 0, nullptr, nullptr, {}};

void HostCall::needHeap(const char* name) {
  auto& runtime = musashim::mtshmem::Runtime::get();
  if (!runtime.isBegun()) musashim::mtshmem::giveUp(name, "called before mtshmem_init()");
  try {
    runtime.needHeap();
  } catch (const std::exception& error) {
    musashim::mtshmem::giveUp(name, error.what());
  }
}

void ask(mtshmemi_request_t& request, bool wait) {
  request.isWaitedFor = wait;
  try {
    musashim::mtshmem::Runtime::get().remote()->post(request, musashim::mtshmem::Way::kHost);
  } catch (const std::exception& error) {
    musashim::mtshmem::giveUp("to another host", error.what());
  }
}

void outside(const void* object, int pe) {
  char text[96];
  std::snprintf(text, sizeof text, "%p is no symmetric memory of PE %d (there are %d)", object, pe,
                gState.size);
  musashim::mtshmem::giveUp("address", text);
}

int onStream(const char* name, musaStream_t stream, std::function<void()> work) {
  { const HostCall call(name); }
  return musashim::libs::runOnStream(stream, [name, work = std::move(work)] {
    gCallOfThread = name;
    work();
  });
}

void onStreamNow(const char* name, musaStream_t stream, std::function<void()> work) {
  const int status = onStream(name, stream, std::move(work));
  const musaError_t error = status == 0 ? musaStreamSynchronize(stream) : static_cast<musaError_t>(status);
  if (error != musaSuccess) musashim::mtshmem::giveUp(name, musaGetErrorString(error));
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
  // Programs set it to the sum of what they allocate, and count on some room for its alignment.
  constexpr std::size_t kRoom = 64 << 10;
  return (bytes + 2 * kRoom - 1) / kRoom * kRoom;
}

void askForKernel(mtshmemi_request_t* request) {
  try {
    Runtime::get().remote()->ask(*request);
  } catch (const std::exception& error) {
    giveUp("to another host", error.what());
  }
}

// Whether the program has chosen a device, by whatever call.
bool isDeviceChosen() {
  auto* const current = core::driverCall<decltype(muCtxGetCurrent)>("muCtxGetCurrent");
  MUcontext context = nullptr;
  return current != nullptr && current(&context) == MUSA_SUCCESS && context != nullptr;
}

// Of core.h, in the code of kernels: mtshmemi::gDeviceState.
constexpr const char* kStateName = "_ZN8mtshmemiL12gDeviceStateE";

struct HeapCard {
  musaIpcMemHandle_t handle;
  uint64_t bytes;
  HostsOfPes::DeviceName device;
};

HostsOfPes::DeviceName nameOfDevice(int device) {
  musaDeviceProp properties;
  check(musaGetDeviceProperties(&properties, device), "musaGetDeviceProperties");
  HostsOfPes::DeviceName name;
  static_assert(sizeof name == sizeof properties.uuid);
  std::memcpy(name.data(), &properties.uuid, sizeof name);
  return name;
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
  readWaitLimit();
  readMostTeams();
  job_ = joinJob(place);
  gState.look = lookAtWait;
  gState.me = place.me;
  gState.size = place.size;
  hosts_ = HostsOfPes(*job_, place.me);
  hosts_.makeTeams(gState.teams);
}

void Runtime::beginHeapIfChosen() {
  if (isDeviceChosen()) needHeap();
}

void Runtime::end() {
  const std::lock_guard lock(mutex_);
  if (!job_) return;
  if (hasHeap()) {
    (void)musaSetDevice(device_);
    (void)musaDeviceSynchronize();
    mtshmemi::quiet();
    // Where waits are looked at, unlike at the job's own.
    const mtshmemi::HostCall call("mtshmem_finalize");
    mtshmemi::barrier<mtshmemi::Host>(0);
  }
  job_->barrier();
  if (remote_) {
    tellPosts();
    remote_.reset();
  }
  for (int pe = 0; hasHeap() && pe < gState.size; ++pe) {
    if (pe != gState.me && gState.peers[pe] != nullptr) (void)musaIpcCloseMemHandle(gState.peers[pe]);
  }
  job_->barrier();
  if (hasHeap()) (void)musaFree(gState.heap);
  job_->leave();
  leavePmix();
  job_.reset();
  Meeting::closeAll();
  gState = {-1, 0, nullptr, 0, {}, 0, nullptr, nullptr, {}};
}

// MTSHMEM_INFO=1: who posted what.
void Runtime::tellPosts() const {
  const char* const wanted = std::getenv("MTSHMEM_INFO");
  if (wanted == nullptr || *wanted == '0') return;
  const auto& posted = remote_->posted();
  std::fprintf(
      stderr,
      "mtshmem: PE %d: requests to other hosts by the host %llu, by the proxy %llu, by kernels %llu\n",
      gState.me, static_cast<unsigned long long>(posted[0]), static_cast<unsigned long long>(posted[1]),
      static_cast<unsigned long long>(posted[2]));
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
  meetPeers(static_cast<char*>(memory), bytes);
  gState.bytes = bytes;
  plan_ = HeapPlan(sizeof(mtshmemi_heap_head_t), bytes);
  gState.heap = static_cast<char*>(memory);
  publish();
  job_->barrier();
}

void Runtime::meetPeers(char* heap, std::size_t bytes) {
  if (gState.size == 1) return;
  HeapCard own{};
  check(musaIpcGetMemHandle(&own.handle, heap), "musaIpcGetMemHandle");
  own.bytes = bytes;
  own.device = nameOfDevice(device_);
  std::unique_ptr<Doors> doors;
  if (hosts_.anyFar()) doors = std::make_unique<Doors>(hosts_);
  Card card(sizeof own);
  std::memcpy(card.data(), &own, sizeof own);
  if (doors) doors->addTo(card);
  const std::vector<Card> cards = job_->exchange(card);
  std::vector<HostsOfPes::DeviceName> devices;
  for (int pe = 0; pe < gState.size; ++pe) {
    HeapCard other;
    std::memcpy(&other, cards[static_cast<std::size_t>(pe)].data(), sizeof other);
    devices.push_back(other.device);
    if (other.bytes != bytes) {
      throw std::runtime_error("the heaps differ: " + std::to_string(bytes) + " bytes here, " +
                               std::to_string(other.bytes) + " at PE " + std::to_string(pe) +
                               "; MTSHMEM_SYMMETRIC_SIZE must be the same");
    }
    if (pe == gState.me || hosts_.isFar(pe)) continue;
    void* there = nullptr;
    check(musaIpcOpenMemHandle(&there, other.handle, musaIpcMemLazyEnablePeerAccess), "musaIpcOpenMemHandle");
    gState.peers[pe] = static_cast<char*>(there);
  }
  shareDevices_ = hosts_.makeDeviceTeams(devices, gState.teams);
  if (!doors) return;
  remote_ =
      std::make_unique<Remote>(doors->net(), doors->connect(cards, sizeof own), heap, bytes, kernelsPost());
  gState.isFar = 1;
  gState.ask = askForKernel;
  job_->barrier();
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
    mtshmemi::head(gState.me)->word = bytes;
    mtshmemi::barrier<mtshmemi::Host>(0);
    const uint64_t first = mtshmemi::getWord(&mtshmemi::head(gState.me)->word, 0);
    if (first != bytes) {
      giveUp("mtshmem_malloc", "all PEs must ask for the same: " + std::to_string(bytes) + " bytes here, " +
                                   std::to_string(first) + " at PE 0");
    }
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

bool Runtime::addModule(MUmodule module) {
  needHeap();
  auto* const find = core::driverCall<decltype(muModuleGetGlobal)>("muModuleGetGlobal");
  MUdeviceptr copy = 0;
  std::size_t bytes = 0;
  if (find == nullptr || find(&copy, &bytes, module, kStateName) != MUSA_SUCCESS || bytes != sizeof gState)
    return false;
  {
    const std::lock_guard lock(mutex_);
    modules_[module] = copy;
  }
  publish();
  return true;
}

void Runtime::removeModule(MUmodule module) {
  const std::lock_guard lock(mutex_);
  modules_.erase(module);
}

void Runtime::publish() {
  int before = 0;
  check(musaGetDevice(&before), "musaGetDevice");
  check(musaSetDevice(device_), "musaSetDevice");
  for (const void* symbol : symbols_) {
    check(musaMemcpyToSymbol(symbol, &gState, sizeof gState, 0, musaMemcpyHostToDevice),
          "musaMemcpyToSymbol");
  }
  for (const auto& [module, copy] : modules_) {
    check(musaMemcpy(reinterpret_cast<void*>(copy), &gState, sizeof gState, musaMemcpyHostToDevice),
          "musaMemcpy");
  }
  check(musaSetDevice(before), "musaSetDevice");
}

}  // namespace musashim::mtshmem
