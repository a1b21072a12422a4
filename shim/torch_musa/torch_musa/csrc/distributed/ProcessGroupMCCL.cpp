#include "torch_musa/csrc/distributed/ProcessGroupMCCL.h"

#include <c10/core/DeviceGuard.h>

#include <cstdio>
#include <cstring>

namespace torch_musa {

using c10::musa::currentStream;
using c10::musa::DeviceScope;
using c10::musa::nativeStream;

namespace {

constexpr std::chrono::milliseconds kGrace{2000};

// What a rank has come to, for the messages of the others. A store that is gone is no reason to fail: what is
// asked of the peers says it.
void tell(c10d::Store& store, const char* what, int rank, uint64_t number) noexcept {
  try {
    store.set(c10::str(what, rank), c10::str(number));
  } catch (const std::exception&) {
  }
}

// Those that have not told of `number`, when `grace` is over.
std::vector<int> ranksBelow(c10d::Store& store, const char* what, int size, uint64_t number,
                            std::chrono::milliseconds grace) {
  const auto until = std::chrono::steady_clock::now() + grace;
  const auto isBelow = [&](int rank) {
    const std::string key = c10::str(what, rank);
    return !store.check({key}) || std::stoull(store.get_to_str(key)) < number;
  };
  std::vector<int> below;
  for (int rank = 0; rank < size; ++rank) {
    bool late = isBelow(rank);
    while (late && std::chrono::steady_clock::now() < until) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      late = isBelow(rank);
    }
    if (late) below.push_back(rank);
  }
  return below;
}

template <class Calls>
void group(Calls calls) {
  MCCL_CHECK(mcclGroupStart());
  try {
    calls();
  } catch (...) {
    (void)mcclGroupEnd();
    throw;
  }
  MCCL_CHECK(mcclGroupEnd());
}

}  // namespace

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
  tell(*store_, "mccl-at-", rank_, number_);
  try {
    group([&] { calls(comm, nativeStream(currentStream(device))); });
  } catch (const RemoteError& error) {
    const std::string why =
        c10::str("[Rank ", rank_, "] ", error.what_without_backtrace(),
                 ". Ranks that did not come: ", missingRanks(*store_, rank_, size_, number_, kGrace));
    std::unique_lock lock(mutex_);
    giveUp(why, lock);
    C10_THROW_ERROR(DistBackendError, why);
  }
  const auto verify = [all = communicators_, store = store_, size = size_, rank = rank_, number = number_] {
    const std::string error = all->error();
    return error.empty()
               ? error
               : c10::str("[Rank ", rank, "] ", error,
                          ". Ranks that did not come: ", missingRanks(*store, rank, size, number, kGrace));
  };
  work->record(device, verify);
  work->makeFuture();
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

std::string ProcessGroupMCCL::missingRanks(c10d::Store& store, int rank, int size, uint64_t number,
                                           std::chrono::milliseconds grace) {
  try {
    tell(store, "mccl-failed-", rank, number);
    // Those that have begun fewer collectives, or else those that do not say that it failed for them, too:
    // they died in it, or stand still.
    std::vector<int> missing = ranksBelow(store, "mccl-at-", size, number, grace);
    if (missing.empty()) missing = ranksBelow(store, "mccl-failed-", size, number, kGrace);
    return missing.empty() ? "none" : c10::Join(", ", missing);
  } catch (const std::exception&) {
    return "not known (the store cannot be reached; rank 0 holds it unless a launcher does)";
  }
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
    const std::string missing = missingRanks(*store_, rank_, size_, late->getSequencenumber(), {});
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
