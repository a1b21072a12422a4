// One collective that was queued: done when its event has come.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <torch/csrc/distributed/c10d/Work.hpp>
#include <tuple>
#include <vector>

#include "torch_musa/csrc/core/Device.h"
#include "torch_musa/csrc/distributed/Attendance.h"

namespace torch_musa {

class WorkMCCL final : public c10d::Work {
 public:
  // The group's name and description.
  using Group = std::tuple<std::string, std::string>;

  // `title` is what the profiler calls it, null for what belongs to a larger one.
  WorkMCCL(Group group, int rank, c10d::OpType type, const char* title, const std::vector<at::Tensor>& inputs,
           std::vector<at::Tensor> outputs, std::shared_ptr<Attendance> attendance, uint64_t number,
           std::chrono::milliseconds timeout);
  ~WorkMCCL() override;

  // Behind what was queued on the device's current stream. `verify` says what went wrong, once the event has
  // come.
  void record(c10::DeviceIndex device, std::function<std::string()> verify);
  bool isCompleted() override;
  // Throws: as for NCCL's works, PyTorch has given it up.
  bool isSuccess() const override;
  // The current stream waits; with a timeout the caller does. Throws what went wrong.
  bool wait(std::chrono::milliseconds timeout) override;
  void synchronize() override;
  std::vector<at::Tensor> result() override { return outputs_; }
  c10::intrusive_ptr<c10::ivalue::Future> getFuture() override;
  uint64_t getSequencenumber() const override { return number_; }

  bool isLate() const;
  std::string describe() const;
  // Who has not come to it, for a message.
  std::string missing(std::chrono::milliseconds grace) const { return attendance_->missing(number_, grace); }
  void fail(const std::string& why);
  std::string failure() const;
  void makeFuture();

 private:
  void throwIfFailed() const;

  Group group_;
  std::vector<at::Tensor> outputs_;
  std::shared_ptr<Attendance> attendance_;
  uint64_t number_;
  std::chrono::milliseconds timeout_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  musaEvent_t event_ = nullptr;
  c10::DeviceIndex device_ = 0;
  mutable std::mutex failureMutex_;
  std::string failure_;
  c10::intrusive_ptr<c10::ivalue::Future> future_;
  std::function<std::string()> verify_;
};

}  // namespace torch_musa
