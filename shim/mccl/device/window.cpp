#include "mccl/device/window.h"

#include <musa_runtime_api.h>

#include <cstring>

#include "mccl/core/log.h"
#include "mccl/runtime/driver_calls.h"
#include "mccl/runtime/export.h"
#include "mccl/runtime/stream.h"
#include "mccl_device/core.h"

namespace musashim::mccl {
namespace {

constexpr size_t kAlignment = MCCL_WIN_REQUIRED_ALIGNMENT;

// Whether both ends lie in device memory.
bool isDeviceMemory(const void* buffer, size_t bytes) {
  const auto range = driverCalls().addressRange;
  const auto attribute = driverCalls().pointerAttribute;
  if (!range || !attribute) return true;  // nobody can tell
  const auto first = reinterpret_cast<MUdeviceptr>(buffer);
  for (const MUdeviceptr address : {first, first + bytes - 1}) {
    MUdeviceptr base = 0;
    size_t size = 0;
    unsigned kind = 0;
    if (range(&base, &size, address) != MUSA_SUCCESS) return false;
    if (attribute(&kind, MU_POINTER_ATTRIBUTE_MEMORY_TYPE, address) != MUSA_SUCCESS) return false;
    if (kind != MU_MEMORYTYPE_DEVICE) return false;
  }
  return true;
}

void setReach(int device, int peer, bool on) {
  const MUshimMemoryTable* const table = driverCalls().memory;
  if (table && table->size > offsetof(MUshimMemoryTable, reachPeer)) (void)table->reachPeer(device, peer, on);
}

}  // namespace

mcclResult_t DeviceMemory::allocate(int device, size_t bytes) {
  const RelaxedCapture relaxed;
  DeviceScope scope(device);
  MCCL_RETURN_IF_ERROR(scope.result());
  MCCL_RETURN_IF_ERROR(checkMusa(musaMalloc(&raw_, bytes + kAlignment), "musaMalloc"));
  device_ = device;
  const auto address = reinterpret_cast<uintptr_t>(raw_);
  data_ = reinterpret_cast<char*>((address + kAlignment - 1) & ~(kAlignment - 1));
  const MemoryAccess access;
  std::memset(data_, 0, bytes);
  return mcclSuccess;
}

DeviceMemory::~DeviceMemory() {
  if (!raw_) return;
  const RelaxedCapture relaxed;
  DeviceScope scope(device_);
  (void)checkMusa(musaFree(raw_), "musaFree");
}

Window::~Window() {
  const RelaxedCapture relaxed;
  if (communicator_ && communicator_->error() != mcclSuccess) {  // kernels that wait in vain are about to end
    const DeviceScope scope(device_);
    (void)musaDeviceSynchronize();
  }
  for (const int peer : peers_) setReach(device_, peer, false);
  if (mapped_.empty()) return;
  DeviceScope scope(device_);
  for (void* base : mapped_) (void)checkMusa(musaIpcCloseMemHandle(base), "musaIpcCloseMemHandle");
}

mcclResult_t Window::exportMemory(void* buffer, size_t bytes, MemoryCard& card) {
  if (bytes == 0 || !isDeviceMemory(buffer, bytes)) {
    return fail(mcclInvalidArgument, "{} : {} bytes at {} are not memory of a device", function_, bytes,
                buffer);
  }
  card.memory = Buffer(buffer);
  card.bytes = bytes;
  if (!member_.communicator().sharesMemory()) return mcclSuccess;
  const RelaxedCapture relaxed;
  DeviceScope scope(device_);
  if (exportBuffer(card.memory)) return mcclSuccess;
  return fail(
      mcclInvalidUsage,
      "{} : the memory at {} cannot be handed to other processes; take it from mcclMemAlloc or musaMalloc",
      function_, buffer);
}

mcclResult_t Window::tell(void* buffer, size_t bytes, mcclResult_t result) {
  device_ = member_.device();
  bytes_ = bytes;
  MemoryCard card;
  card.use = use_;
  outcome_ = result != mcclSuccess ? result : exportMemory(buffer, bytes, card);
  card.isGood = outcome_ == mcclSuccess;
  exchange_ = std::make_unique<MemoryExchange>(member_);
  exchange_->post(card);
  return outcome_;
}

mcclResult_t Window::reach(int rank, const MemoryCard& card, char*& place) {
  const RankInfo& info = member_.communicator().roster().ranks[static_cast<size_t>(rank)];
  if (member_.communicator().roster().isLocal(rank)) {
    place = static_cast<char*>(card.memory.pointer);
    if (info.device != device_) {
      setReach(device_, info.device, true);
      peers_.push_back(info.device);
    }
    return mcclSuccess;
  }
  musaIpcMemHandle_t handle;
  std::memcpy(&handle, card.memory.handle, sizeof handle);
  void* base = nullptr;
  MCCL_RETURN_IF_ERROR(
      checkMusa(musaIpcOpenMemHandle(&base, handle, musaIpcMemLazyEnablePeerAccess), "musaIpcOpenMemHandle"));
  mapped_.push_back(base);
  place = static_cast<char*>(base) + card.memory.offset;
  return mcclSuccess;
}

// What kernels see lies in device memory: the window itself, and behind it the places.
mcclResult_t Window::write(const std::vector<MemoryCard>& cards) {
  const Communicator& communicator = member_.communicator();
  const int size = lsaSizeOf(communicator.roster()), lsaRank = member_.rank() % size;
  const RelaxedCapture relaxed;
  DeviceScope scope(device_);
  MCCL_RETURN_IF_ERROR(scope.result());
  std::vector<char*> places(static_cast<size_t>(size));
  for (int i = 0; i < size; ++i) {
    const int rank = member_.rank() - lsaRank + i;
    MCCL_RETURN_IF_ERROR(
        reach(rank, cards[static_cast<size_t>(communicator.seatOf(rank))], places[static_cast<size_t>(i)]));
  }
  MCCL_RETURN_IF_ERROR(
      table_.allocate(device_, sizeof(mcclWindow_vidmem) + static_cast<size_t>(size) * sizeof(char*)));
  auto* const window = reinterpret_cast<mcclWindow_vidmem*>(table_.data());
  auto** const list = reinterpret_cast<char**>(window + 1);
  const MemoryAccess access;
  std::memcpy(list, places.data(), places.size() * sizeof(char*));
  communicator_ = member_.communicator().shared_from_this();
  *window = {bytes_, member_.rank(), lsaRank, size, list, whyInVain, this};
  handle_ = window;
  return mcclSuccess;
}

const char* Window::whyInVain(void* window) {
  auto& own = *static_cast<Window*>(window);
  const mcclResult_t error = own.communicator_->error();
  if (error == mcclSuccess) return nullptr;
  if (own.isAsked_.exchange(true)) return "";
  own.whyInVain_ = own.communicator_->clique().errorText();
  if (own.whyInVain_.empty()) own.whyInVain_ = "the communicator was aborted";
  return own.whyInVain_.c_str();
}

mcclResult_t Window::map() {
  std::vector<MemoryCard> cards;
  const mcclResult_t told = exchange_->await(function_, cards);
  isAlone_ = told == mcclRemoteError;
  if (outcome_ == mcclSuccess) outcome_ = told == mcclSuccess ? write(cards) : told;
  if (isAlone_) return outcome_;
  exchange_ = std::make_unique<MemoryExchange>(member_);
  MemoryCard card;
  card.use = MemoryCard::kMade;
  card.isGood = outcome_ == mcclSuccess;
  exchange_->post(card);
  return outcome_;
}

mcclResult_t Window::settle() {
  if (isAlone_) return outcome_;
  std::vector<MemoryCard> cards;
  const mcclResult_t made = exchange_->await(function_, cards);
  if (outcome_ == mcclSuccess) outcome_ = made;
  return outcome_;
}

}  // namespace musashim::mccl
