// The backend "mccl" of torch.distributed: collectives of libmccl on tensors of the devices.
#pragma once

#include <mccl.h>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <thread>
#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>

#include "torch_musa/csrc/core/Older.h"
#include "torch_musa/csrc/distributed/Attendance.h"
#include "torch_musa/csrc/distributed/Collective.h"
#include "torch_musa/csrc/distributed/Communicators.h"
#include "torch_musa/csrc/distributed/Work.h"

namespace torch_musa {

using Tensors = std::vector<at::Tensor>;
using TensorLists = std::vector<std::vector<at::Tensor>>;
using WorkPtr = c10::intrusive_ptr<c10d::Work>;

#if TORCH_MUSA_AT_LEAST(9)
using GroupOptions = c10d::Backend::Options;
#else
// Before 2.9 the options of NCCL alone know a group's ranks.
struct GroupOptions : c10d::Backend::Options {
  using c10d::Backend::Options::Options;
  std::vector<uint64_t> global_ranks_in_group;
  std::string group_name;
};
#endif

class ProcessGroupMCCL final : public c10d::Backend {
 public:
  struct Options : GroupOptions {
    explicit Options(std::chrono::milliseconds timeout = std::chrono::minutes(10))
        : GroupOptions("mccl", timeout) {}
    // For programs that set it: collectives are queued on the caller's current stream, of its priority.
    bool is_high_priority_stream = false;
  };

  ProcessGroupMCCL(c10::intrusive_ptr<c10d::Store> store, int rank, int size,
                   c10::intrusive_ptr<Options> options);
  ~ProcessGroupMCCL() override;

  const std::string getBackendName() const override { return "mccl"; }
  void startCoalescing() override;
  WorkPtr endCoalescing() override;
  void setSequenceNumberForGroup() override {}
  uint64_t getSequenceNumberForGroup() override { return all_->last(); }
  bool supportsCoalescing() const override { return true; }
  // PyTorch asks for these two from 2.9 on.
  void setTimeout(std::chrono::milliseconds timeout) { timeout_ = timeout; }
  c10::intrusive_ptr<c10d::Backend::Options> getBackendOptions() { return options_; }
  void abort() override;
  void shutdown() override;

  WorkPtr broadcast(Tensors& tensors, const c10d::BroadcastOptions& options) override;
  WorkPtr allreduce(Tensors& tensors, const c10d::AllreduceOptions& options) override;
  WorkPtr allreduce_coalesced(Tensors& tensors, const c10d::AllreduceCoalescedOptions& options) override;
  WorkPtr reduce(Tensors& tensors, const c10d::ReduceOptions& options) override;
  WorkPtr allgather(TensorLists& outputs, Tensors& inputs, const c10d::AllgatherOptions& options) override;
  WorkPtr _allgather_base(at::Tensor& output, at::Tensor& input,
                          const c10d::AllgatherOptions& options) override;
  WorkPtr allgather_into_tensor_coalesced(Tensors& outputs, Tensors& inputs,
                                          const c10d::AllgatherOptions& options) override;
  WorkPtr gather(TensorLists& outputs, Tensors& inputs, const c10d::GatherOptions& options) override;
  WorkPtr scatter(Tensors& outputs, TensorLists& inputs, const c10d::ScatterOptions& options) override;
  WorkPtr reduce_scatter(Tensors& outputs, TensorLists& inputs,
                         const c10d::ReduceScatterOptions& options) override;
  WorkPtr _reduce_scatter_base(at::Tensor& output, at::Tensor& input,
                               const c10d::ReduceScatterOptions& options) override;
  WorkPtr reduce_scatter_tensor_coalesced(Tensors& outputs, Tensors& inputs,
                                          const c10d::ReduceScatterOptions& options) override;
  WorkPtr alltoall_base(at::Tensor& output, at::Tensor& input, std::vector<int64_t>& outputSplits,
                        std::vector<int64_t>& inputSplits, const c10d::AllToAllOptions& options) override;
  WorkPtr alltoall(Tensors& outputs, Tensors& inputs, const c10d::AllToAllOptions& options) override;
  WorkPtr send(Tensors& tensors, int to, int tag) override;
  WorkPtr recv(Tensors& tensors, int from, int tag) override;
  WorkPtr barrier(const c10d::BarrierOptions& options) override;

 private:
  using Calls = std::function<void(mcclComm_t, musaStream_t)>;

  // The ranks that a call needs: all, or this one and another.
  std::shared_ptr<Attendance> between(int peer);
  mcclComm_t communicator(Attendance& scope, c10::DeviceIndex device);
  // Checks the tensors, queues the calls as one group on the current stream, keeps what they use.
  WorkPtr run(const Collective& what, const Tensors& inputs, Tensors outputs,
              std::chrono::milliseconds timeout, const Calls& calls) {
    return run(what, all_, inputs, std::move(outputs), timeout, calls);
  }
  WorkPtr run(const Collective& what, const std::shared_ptr<Attendance>& scope, const Tensors& inputs,
              Tensors outputs, std::chrono::milliseconds timeout, const Calls& calls);
  void check(const Tensors& tensors) const;
  c10::DeviceIndex barrierDevice() const;
  void watch();
  void giveUp(const std::string& why, std::unique_lock<std::mutex>& lock);
  void abortCommunicators();

  c10::intrusive_ptr<c10d::Store> store_;
  c10::intrusive_ptr<Options> options_;
  std::chrono::milliseconds timeout_;
  std::shared_ptr<Attendance> all_;
  std::map<int, std::shared_ptr<Attendance>> pairs_;  // by the peer
  std::mutex mutex_;
  std::shared_ptr<Communicators> communicators_ = std::make_shared<Communicators>();
  bool coalescing_ = false;
  Tensors coalesced_;
  std::chrono::milliseconds coalescedTimeout_{0};

  std::condition_variable wake_;
  std::deque<c10::intrusive_ptr<WorkMCCL>> pending_;
  std::atomic<bool> stop_{false};
  std::string broken_;
  std::thread watcher_;  // the last: it uses all the others
};

}  // namespace torch_musa
