#include "torch_musa/csrc/distributed/ProcessGroupMCCL.h"

#include <c10/core/DeviceGuard.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <torch/csrc/distributed/c10d/ParamCommsUtils.hpp>

namespace torch_musa {

using c10::musa::currentStream;
using c10::musa::DeviceScope;
using c10::musa::nativeStream;

namespace {

// What is only slow may yet come.
constexpr std::chrono::milliseconds kGrace{2000};

std::vector<int> upTo(int size) {
  std::vector<int> ranks(static_cast<size_t>(size));
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

int64_t elements(const Tensors& tensors) {
  return std::accumulate(tensors.begin(), tensors.end(), int64_t{0},
                         [](int64_t sum, const at::Tensor& tensor) { return sum + tensor.numel(); });
}

// The first of a group's ranks and how far they lie apart, -1 if not evenly; for PyTorch's records.
std::pair<int, int> pattern(const std::vector<uint64_t>& ranks) {
  if (ranks.empty()) return {0, 1};
  const int first = static_cast<int>(ranks[0]);
  const int stride = ranks.size() > 1 ? static_cast<int>(ranks[1]) - first : 1;
  for (size_t i = 0; i < ranks.size(); ++i) {
    if (static_cast<int>(ranks[i]) != first + static_cast<int>(i) * stride) return {first, -1};
  }
  return {first, stride};
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
                                   c10::intrusive_ptr<Options> options)
    : Backend(rank, size),
      store_(std::move(store)),
      options_(std::move(options)),
      timeout_(options_->timeout),
      all_(std::make_shared<Attendance>(store_, "all", upTo(size), rank)),
      watcher_([this] { watch(); }) {}

ProcessGroupMCCL::~ProcessGroupMCCL() {
  stop_ = true;
  wake_.notify_all();
  watcher_.join();
  abortCommunicators();
}

// Two ranks that talk need no third, unless in a batch.
std::shared_ptr<Attendance> ProcessGroupMCCL::between(int peer) {
  if (coalescing_ || size_ == 2) return all_;
  std::shared_ptr<Attendance>& pair = pairs_[peer];
  if (pair == nullptr) {
    const int low = std::min(rank_, peer), high = std::max(rank_, peer);
    pair = std::make_shared<Attendance>(store_, c10::str(low, ":", high), std::vector<int>{low, high}, rank_);
  }
  return pair;
}

mcclComm_t ProcessGroupMCCL::communicator(Attendance& scope, c10::DeviceIndex device) {
  {
    const std::lock_guard lock(mutex_);
    if (!broken_.empty()) C10_THROW_ERROR(DistBackendError, broken_);
  }
  if (const mcclComm_t known = communicators_->find(scope.name(), device)) return known;
  const DeviceScope on(device);
  mcclUniqueId id{};
  const std::string key = c10::str("mccl-id-", scope.name(), "-", communicators_->countOf(scope.name()));
  if (scope.place() == 0) {
    MCCL_CHECK(mcclGetUniqueId(&id));
    const auto* const bytes = reinterpret_cast<const uint8_t*>(&id);
    store_->set(key, std::vector<uint8_t>(bytes, bytes + sizeof id));
  } else {
    const std::vector<uint8_t> bytes = store_->get(key);
    TORCH_CHECK(bytes.size() == sizeof id, "the store's ", key, " is no id of MCCL's");
    std::memcpy(&id, bytes.data(), sizeof id);
  }
  mcclComm_t made = nullptr;
  MCCL_CHECK(mcclCommInitRank(&made, scope.size(), id, scope.place()));
  communicators_->add(scope.name(), device, made);
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

WorkPtr ProcessGroupMCCL::run(const Collective& what, const std::shared_ptr<Attendance>& scope,
                              const Tensors& inputs, Tensors outputs, std::chrono::milliseconds timeout,
                              const Calls& calls) {
  Tensors used = inputs;
  used.insert(used.end(), outputs.begin(), outputs.end());
  TORCH_CHECK_WITH(ValueError, !used.empty(), "Tensor list must be nonempty");
  check(used);
  // What a batch holds has the number of the whole, which comes to its end next.
  const uint64_t number = coalescing_ ? scope->last() + 1 : scope->next();
  const auto name = std::make_tuple(getGroupUid(), getGroupDesc());
  const auto [first, stride] = pattern(options_->global_ranks_in_group);
  RECORD_PARAM_COMMS_DATA(std::make_tuple(static_cast<int64_t>(number), c10d::isP2POp(what.type)), name,
                          inputs, outputs, rank_, std::string(what.name), elements(inputs), elements(outputs),
                          used.front().scalar_type(), what.inputSplits, what.outputSplits, first, stride,
                          size_);
  const c10::DeviceIndex device = used.front().device().index();
  const mcclComm_t comm = communicator(*scope, device);
  const c10::DeviceGuard on(used.front().device());
  const auto patience = timeout == c10d::kUnsetTimeout ? timeout_ : timeout;
  auto work =
      c10::make_intrusive<WorkMCCL>(name, rank_, what.type, coalescing_ ? nullptr : what.title.c_str(),
                                    inputs, std::move(outputs), scope, number, patience);
  if (coalescing_) {
    // Not before: communicators are not made inside of a group.
    if (coalesced_.empty()) MCCL_CHECK(mcclGroupStart());
    calls(comm, nativeStream(currentStream(device)));
    coalesced_.insert(coalesced_.end(), used.begin(), used.end());
    coalescedTimeout_ = patience;
    return work;
  }
  scope->come(number);
  try {
    group([&] { calls(comm, nativeStream(currentStream(device))); });
  } catch (const RemoteError& error) {
    const std::string why = c10::str("[Rank ", rank_, "] ", error.what_without_backtrace(),
                                     ". Ranks that did not come: ", work->missing(kGrace));
    std::unique_lock lock(mutex_);
    giveUp(why, lock);
    C10_THROW_ERROR(DistBackendError, why);
  }
  const auto verify = [all = communicators_, scope, rank = rank_, number] {
    const std::string error = all->error();
    return error.empty() ? error
                         : c10::str("[Rank ", rank, "] ", error,
                                    ". Ranks that did not come: ", scope->missing(number, kGrace));
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
  const Tensors used = std::move(coalesced_);
  return run({c10d::OpType::COALESCED, "coalesced", "mccl:coalesced"}, {used.front()}, used,
             coalescedTimeout_, [](mcclComm_t, musaStream_t) {});
}

void ProcessGroupMCCL::watch() {
  std::unique_lock lock(mutex_);
  while (!stop_) {
    wake_.wait_for(lock, std::chrono::milliseconds(pending_.empty() ? 500 : 20));
    std::string why;
    while (!pending_.empty() && why.empty() && pending_.front()->isCompleted()) {
      why = pending_.front()->failure();
      pending_.pop_front();
    }
    // One that somebody waited for too long.
    for (const auto& work : pending_) {
      if (why.empty()) why = work->failure();
    }
    if (!why.empty()) giveUp(why, lock);
    if (stop_ || pending_.empty() || !pending_.front()->isLate()) continue;
    const auto late = pending_.front();
    lock.unlock();
    const std::string missing = late->missing({});
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
  for (const auto& [where, comm] : communicators_->take()) (void)mcclCommAbort(comm);
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
  for (const auto& [where, comm] : communicators_->take()) {
    const DeviceScope on(static_cast<c10::DeviceIndex>(where.second));
    (void)musaDeviceSynchronize();
    (void)mcclCommDestroy(comm);
  }
}

}  // namespace torch_musa
