// PEs of other hosts: requests go to them by three ways. A kernel puts one into the ring, and the agent, a
// thread of this library, posts it (as NVSHMEM's IBRC does); or the kernel's own thread posts it (IBGDA's
// way, MTSHMEM_IB_ENABLE_IBGDA=1); or a thread of the host's. The agent also does here what the others ask
// for.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "mtshmem/include/mtshmem_detail/layout.h"
#include "mtshmem/remote/connection.h"
#include "mtshmem/remote/post.h"
#include "mtshmem/remote/ring.h"

namespace musashim::mtshmem {

enum class Way { kHost, kProxy, kKernel };

class Remote {
 public:
  // `connections`: of each PE, null for those that are reached otherwise. `heap`: this PE's.
  Remote(mccl::Net& net, std::vector<std::unique_ptr<Connection>> connections, char* heap, size_t heapBytes,
         bool kernelsPost);
  // Says goodbye, and waits for the others' for a while.
  ~Remote();

  // Posts, waiting for room, and then for the answer if it is wanted.
  void post(mtshmemi_request_t& request, Way way);
  // Of a kernel's thread, by the way that is set.
  void ask(mtshmemi_request_t& request);

  const std::array<std::atomic<uint64_t>, 3>& posted() const { return posted_; }

 private:
  void run();
  bool lookAtRing();
  void hear(Connection& from, const Message& message, const char* data);
  void answered(const Message& message, const char* data);
  void sleep();
  auto connectionOf() const {
    return [this](int pe) { return connections_[static_cast<size_t>(pe)].get(); };
  }
  int pes() const { return static_cast<int>(connections_.size()); }

  mccl::Net& net_;
  const std::vector<std::unique_ptr<Connection>> connections_;
  std::vector<void*> comms_;
  char* const heap_;
  const size_t heapBytes_;
  const bool kernelsPost_;
  Ring ring_;
  std::optional<Post> next_;  // of the ring: said in part
  std::array<std::atomic<uint64_t>, 3> posted_{};
  std::atomic<bool> isOver_{false};
  int idle_ = 0;
  std::thread agent_;
};

}  // namespace musashim::mtshmem
