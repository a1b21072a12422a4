// A window: a piece of memory of each rank, which kernels of this rank reach at all ranks of its LSA team.
//
// It is made by all ranks together, in steps between which they wait for each other (group/group.h): each
// tells where its memory is, then maps that of others, then all know whether all have.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "mccl.h"
#include "mccl/comm/memory_exchange.h"

namespace musashim::mccl {

// Memory of a device, aligned for a window and open to host code that has a MemoryAccess.
class DeviceMemory {
 public:
  DeviceMemory() = default;
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  // All zero.
  mcclResult_t allocate(int device, size_t bytes);
  char* data() const { return data_; }

 private:
  int device_ = 0;
  void* raw_ = nullptr;
  char* data_ = nullptr;
};

class Window {
 public:
  Window(Member& member, MemoryCard::Use use, const char* function)
      : member_(member), use_(use), function_(function) {}
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  // The steps, by all ranks. `result`: of what this rank has done before; it takes part all the same, so that
  // the others do not wait for it, and gets it back.
  mcclResult_t tell(void* buffer, size_t bytes, mcclResult_t result);
  mcclResult_t map();
  mcclResult_t settle();

  // As kernels see it, once it is made.
  mcclWindow_t handle() const { return handle_; }

 private:
  mcclResult_t exportMemory(void* buffer, size_t bytes, MemoryCard& card);
  mcclResult_t reach(int rank, const MemoryCard& card, char*& place);
  mcclResult_t write(const std::vector<MemoryCard>& cards);
  // For kernels that wait: mcclWindow_vidmem::whyInVain. `window`: this.
  static const char* whyInVain(void* window);

  Member& member_;
  const MemoryCard::Use use_;
  const char* const function_;
  mcclResult_t outcome_ = mcclSuccess;
  bool isAlone_ = false;  // others cannot be asked any more
  size_t bytes_ = 0;
  std::unique_ptr<MemoryExchange> exchange_;
  std::shared_ptr<Communicator> communicator_;
  std::atomic<bool> isAsked_{false};
  std::string whyInVain_;
  DeviceMemory table_;  // the last that goes while kernels may still wait
  mcclWindow_t handle_ = nullptr;
  std::vector<void*> mapped_;  // of other processes
  std::vector<int> peers_;     // devices of this process that kernels here may reach
  int device_ = 0;
};

}  // namespace musashim::mccl
