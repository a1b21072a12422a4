#include "torch_musa/csrc/distributed/Work.h"

#include <c10/core/DeviceGuard.h>
#include <c10/core/StreamGuard.h>

#include <thread>
#include <torch/csrc/distributed/c10d/ParamCommsUtils.hpp>

namespace torch_musa {

using c10::musa::currentStream;
using c10::musa::DeviceScope;
using c10::musa::nativeStream;

WorkMCCL::WorkMCCL(Group group, int rank, c10d::OpType type, const char* title,
                   const std::vector<at::Tensor>& inputs, std::vector<at::Tensor> outputs,
                   std::shared_ptr<Attendance> attendance, uint64_t number, std::chrono::milliseconds timeout)
    : Work(rank, type, title, inputs),
      group_(std::move(group)),
      outputs_(std::move(outputs)),
      attendance_(std::move(attendance)),
      number_(number),
      timeout_(timeout) {}

WorkMCCL::~WorkMCCL() {
  if (event_ != nullptr) (void)musaEventDestroy(event_);
}

void WorkMCCL::record(c10::DeviceIndex device, std::function<std::string()> verify) {
  verify_ = std::move(verify);
  device_ = device;
  const DeviceScope scope(device);
  C10_MUSA_CHECK(musaEventCreateWithFlags(&event_, musaEventDisableTiming));
  C10_MUSA_CHECK(musaEventRecord(event_, nativeStream(currentStream(device))));
}

// A future of the device's is marked at once: who reads it waits for the event on a stream of its own.
void WorkMCCL::makeFuture() {
  const c10::StreamGuard guard(currentStream(device_));
  future_ = c10::make_intrusive<c10::ivalue::Future>(c10::ListType::create(c10::TensorType::get()),
                                                     std::vector<c10::Device>{{c10::musa::kDevice, device_}});
  future_->markCompleted(at::IValue(outputs_));
  if (recordFunctionEndCallback_) recordFunctionEndCallback_();
}

bool WorkMCCL::isCompleted() {
  {
    const std::lock_guard lock(failureMutex_);
    if (!failure_.empty()) return true;
  }
  if (event_ == nullptr) return false;
  const musaError_t error = musaEventQuery(event_);
  if (error == musaErrorNotReady) return (void)musaGetLastError(), false;
  // A collective that a peer gave up ends, too.
  if (const std::string why = verify_ ? verify_() : std::string(); !why.empty()) fail(why);
  return true;
}

bool WorkMCCL::isSuccess() const {
  C10_THROW_ERROR(NotImplementedError, "WorkMCCL::isSuccess() is deprecated");
}

void WorkMCCL::throwIfFailed() const {
  const std::lock_guard lock(failureMutex_);
  if (!failure_.empty()) C10_THROW_ERROR(DistBackendError, failure_);
}

void WorkMCCL::synchronize() {
  throwIfFailed();
  const DeviceScope scope(device_);
  C10_MUSA_CHECK(musaStreamWaitEvent(nativeStream(currentStream(device_)), event_, 0));
}

bool WorkMCCL::wait(std::chrono::milliseconds timeout) {
  RECORD_PARAM_COMMS(std::make_tuple(static_cast<int64_t>(number_), c10d::isP2POp(opType_)), group_, rank_,
                     std::string("wait"), 0, 0, at::kByte, std::vector<int64_t>(), std::vector<int64_t>(), -1,
                     -1, 1);
  synchronize();
  // A barrier is for the caller itself.
  const bool blocks = retrieveOpType() == c10d::OpType::BARRIER || timeout != kNoTimeout;
  const auto until = std::chrono::steady_clock::now() + (timeout != kNoTimeout ? timeout : timeout_);
  while (blocks && !isCompleted()) {
    if (std::chrono::steady_clock::now() > until) {
      // The group's watcher finds it, and gives the group up.
      fail(c10::str("[Rank ", rank_, "] Watchdog caught collective operation timeout: ", describe(),
                    " took longer than wait() was told"));
      break;
    }
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  throwIfFailed();
  return true;
}

c10::intrusive_ptr<c10::ivalue::Future> WorkMCCL::getFuture() { return future_; }

bool WorkMCCL::isLate() const { return std::chrono::steady_clock::now() - begin_ > timeout_; }

std::string WorkMCCL::describe() const {
  return c10::str("WorkMCCL(SeqNum=", number_,
                  ", OpType=", c10d::opTypeToString(const_cast<WorkMCCL*>(this)->retrieveOpType()),
                  ", Timeout(ms)=", timeout_.count(), ")");
}

std::string WorkMCCL::failure() const {
  const std::lock_guard lock(failureMutex_);
  return failure_;
}

void WorkMCCL::fail(const std::string& why) {
  const std::lock_guard lock(failureMutex_);
  if (failure_.empty()) failure_ = why;
}

}  // namespace torch_musa
