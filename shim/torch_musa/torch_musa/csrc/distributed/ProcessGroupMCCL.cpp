#include "torch_musa/csrc/distributed/ProcessGroupMCCL.h"

#include <c10/core/DeviceGuard.h>

#include <cstdio>
#include <cstring>

namespace torch_musa {

using c10::musa::currentStream;
using c10::musa::DeviceScope;
using c10::musa::nativeStream;

ProcessGroupMCCL::ProcessGroupMCCL(c10::intrusive_ptr<c10d::Store> store, int rank, int size,
                                   std::chrono::milliseconds timeout)
    : Backend(rank, size), store_(std::move(store)), timeout_(timeout), watcher_([this] { watch(); }) {}

ProcessGroupMCCL::~ProcessGroupMCCL() {
  stop_ = true;
  wake_.notify_all();
  watcher_.join();
  abortCommunicators();
}

mcclComm_t ProcessGroupMCCL::communicator(c10::DeviceIndex device) {
  {
    const std::lock_guard lock(mutex_);
    if (!broken_.empty()) C10_THROW_ERROR(DistBackendError, broken_);
  }
  if (const mcclComm_t known = communicators_->find(device)) return known;
  const DeviceScope scope(device);
  mcclUniqueId id{};
  const std::string key = c10::str("mccl-id-", communicators_->size());
  if (rank_ == 0) {
    MCCL_CHECK(mcclGetUniqueId(&id));
    const auto* const bytes = reinterpret_cast<const uint8_t*>(&id);
    store_->set(key, std::vector<uint8_t>(bytes, bytes + sizeof id));
  } else {
    const std::vector<uint8_t> bytes = store_->get(key);
    TORCH_CHECK(bytes.size() == sizeof id, "the store's ", key, " is no id of MCCL's");
    std::memcpy(&id, bytes.data(), sizeof id);
  }
  mcclComm_t made = nullptr;
  MCCL_CHECK(mcclCommInitRank(&made, size_, id, rank_));
  communicators_->add(device, made);
  return made;
}

void ProcessGroupMCCL::check(const Tensors& tensors) const {
  for (const at::Tensor& tensor : tensors) {
    TORCH_CHECK_WITH(ValueError, tensor.device().type() == c10::musa::kDevice,
                     "Tensors must be MUSA and dense (one is on ", tensor.device(), ")");
    TORCH_CHECK_WITH(ValueError, !tensor.is_sparse(), "Tensors must be MUSA and dense");
    TORCH_CHECK_WITH(ValueError, tensor.is_contiguous(tensor.suggest_memory_format()),
                     "Tensors must be contiguous");
    TORCH_CHECK_WITH(ValueError, tensor.device() == tensors.front().device(),
                     "Tensors must be on the same device");
  }
}

WorkPtr ProcessGroupMCCL::run(c10d::OpType type, const Tensors& used, Tensors outputs,
                              std::chrono::milliseconds timeout, const Calls& calls) {
  TORCH_CHECK_WITH(ValueError, !used.empty(), "Tensor list must be nonempty");
  check(used);
  const c10::DeviceIndex device = used.front().device().index();
  const mcclComm_t comm = communicator(device);
  const c10::DeviceGuard guard(used.front().device());
  const auto patience = timeout == c10d::kUnsetTimeout ? timeout_ : timeout;
  auto work = c10::make_intrusive<WorkMCCL>(rank_, type, std::move(outputs), ++number_, patience);
  if (coalescing_) {
    // Not before: communicators are not made inside of a group.
    if (coalesced_.empty()) MCCL_CHECK(mcclGroupStart());
    calls(comm, nativeStream(currentStream(device)));
    coalesced_.insert(coalesced_.end(), used.begin(), used.end());
    coalescedTimeout_ = patience;
    return work;
  }
  MCCL_CHECK(mcclGroupStart());
  try {
    calls(comm, nativeStream(currentStream(device)));
  } catch (...) {
    (void)mcclGroupEnd();
    throw;
  }
  MCCL_CHECK(mcclGroupEnd());
  const auto verify = [all = communicators_, store = store_, size = size_, rank = rank_, number = number_] {
    const std::string error = all->error();
    return error.empty() ? error
                         : c10::str("[Rank ", rank, "] ", error,
                                    ". Ranks that did not come: ", missingRanks(*store, size, number));
  };
  work->record(device, verify);
  work->makeFuture();
  store_->set(c10::str("mccl-at-", rank_), c10::str(number_));
  const std::lock_guard lock(mutex_);
  pending_.push_back(work);
  wake_.notify_all();
  return work;
}

void ProcessGroupMCCL::startCoalescing() {
  coalescing_ = true;
  coalesced_.clear();
}

WorkPtr ProcessGroupMCCL::endCoalescing() {
  coalescing_ = false;
  if (coalesced_.empty()) return nullptr;
  MCCL_CHECK(mcclGroupEnd());
  Tensors used = std::move(coalesced_);
  return run(c10d::OpType::COALESCED, {used.front()}, used, coalescedTimeout_,
             [](mcclComm_t, musaStream_t) {});
}

// Those that have begun fewer collectives than this one.
std::string ProcessGroupMCCL::missingRanks(c10d::Store& store, int size, uint64_t number) {
  std::string missing;
  for (int rank = 0; rank < size; ++rank) {
    uint64_t at = 0;
    try {
      const std::string key = c10::str("mccl-at-", rank);
      if (store.check({key})) at = std::stoull(store.get_to_str(key));
    } catch (const std::exception&) {
      return "not known (the store cannot be reached)";
    }
    if (at < number) missing += c10::str(missing.empty() ? "" : ", ", rank);
  }
  return missing.empty() ? "none" : missing;
}

void ProcessGroupMCCL::watch() {
  std::unique_lock lock(mutex_);
  while (!stop_) {
    wake_.wait_for(lock, std::chrono::milliseconds(pending_.empty() ? 500 : 20));
    while (!pending_.empty() && pending_.front()->isCompleted()) {
      const auto done = pending_.front();
      pending_.pop_front();
      if (const std::string why = done->failure(); !why.empty()) giveUp(why, lock);
    }
    if (stop_ || pending_.empty() || !pending_.front()->isLate()) continue;
    const auto late = pending_.front();
    lock.unlock();
    const std::string missing = missingRanks(*store_, size_, number_);
    lock.lock();
    giveUp(c10::str("[Rank ", rank_, "] Watchdog caught collective operation timeout: ", late->describe(),
                    ". Ranks that did not come: ", missing),
           lock);
  }
}

// All that waits fails, and what is queued ends.
void ProcessGroupMCCL::giveUp(const std::string& why, std::unique_lock<std::mutex>& lock) {
  std::fprintf(stderr, "%s\n", why.c_str());
  broken_ = why;
  for (const auto& work : pending_) work->fail(why);
  pending_.clear();
  lock.unlock();
  abortCommunicators();
  lock.lock();
}

void ProcessGroupMCCL::abortCommunicators() {
  for (const auto& [device, comm] : communicators_->take()) (void)mcclCommAbort(comm);
}

void ProcessGroupMCCL::abort() {
  {
    const std::lock_guard lock(mutex_);
    if (broken_.empty()) broken_ = "the process group was aborted";
  }
  abortCommunicators();
}

void ProcessGroupMCCL::shutdown() {
  {
    const std::lock_guard lock(mutex_);
    pending_.clear();
  }
  for (const auto& [device, comm] : communicators_->take()) {
    const DeviceScope scope(device);
    (void)musaDeviceSynchronize();
    (void)mcclCommDestroy(comm);
  }
}

}  // namespace torch_musa
