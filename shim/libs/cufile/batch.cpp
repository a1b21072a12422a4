#include "libs/cufile/batch.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <map>
#include <optional>
#include <thread>

#include "libs/cufile/driver.h"
#include "libs/cufile/status.h"

namespace musashim::cufile {
namespace {

constexpr unsigned kWorkers = 4;

// Threads that run batches' operations, in the order of their submission. Made by the first.
class Workers {
 public:
  static Workers& instance() {
    static Workers& workers = *new Workers;
    return workers;
  }

  // Has `batch` run so many operations. Throws where there is no thread, or no memory.
  void add(const std::shared_ptr<Batch>& batch, unsigned count) {
    const std::lock_guard lock(mutex_);
    while (threads_ < kWorkers) {
      std::thread([this] { work(); }).detach();
      ++threads_;
    }
    for (unsigned i = 0; i < count; ++i) queue_.push_back(batch);
    added_.notify_all();
  }

 private:
  [[noreturn]] void work() {
    for (;;) {
      std::unique_lock lock(mutex_);
      added_.wait(lock, [&] { return !queue_.empty(); });
      const std::shared_ptr<Batch> batch = std::move(queue_.front());
      queue_.pop_front();
      lock.unlock();
      batch->runNext();
    }
  }

  std::mutex mutex_;
  std::condition_variable added_;
  std::deque<std::shared_ptr<Batch>> queue_;
  unsigned threads_ = 0;
};

struct Batches {
  std::mutex mutex;
  std::map<CUfileBatchHandle_t, std::shared_ptr<Batch>> byHandle;
};

Batches& batches() {
  static Batches& batches = *new Batches;
  return batches;
}

std::shared_ptr<Batch> find(CUfileBatchHandle_t handle) {
  const std::lock_guard lock(batches().mutex);
  const auto found = batches().byHandle.find(handle);
  return found == batches().byHandle.end() ? nullptr : found->second;
}

bool isKnown(const CUfileIOParams_t& operation) {
  return operation.mode == CUFILE_BATCH &&
         (operation.opcode == CUFILE_READ || operation.opcode == CUFILE_WRITE);
}

Place placeOf(const CUfileIOParams_t& operation) {
  const auto& batch = operation.u.batch;
  return {batch.devPtr_base, batch.size, batch.file_offset, batch.devPtr_offset};
}

}  // namespace

CUfileOpError Batch::submit(const CUfileIOParams_t* operations, unsigned count) {
  if (!std::all_of(operations, operations + count, isKnown)) return CU_FILE_INVALID_VALUE;
  std::list<Waiting> taken;
  for (unsigned i = 0; i < count; ++i)
    taken.push_back({operations[i], findFile(operations[i].fh), memoryAt(operations[i].u.batch.devPtr_base)});
  const std::lock_guard lock(mutex_);
  const size_t held = waiting_.size() + running_ + events_.size();
  if (count > capacity_ - std::min<size_t>(capacity_, held)) return CU_FILE_BATCH_FULL;
  // Workers that come meanwhile wait for the lock; one that finds nothing to do does nothing.
  Workers::instance().add(shared_from_this(), count);
  waiting_.splice(waiting_.end(), taken);
  return CU_FILE_SUCCESS;
}

void Batch::runNext() {
  std::optional<Waiting> next;
  {
    const std::lock_guard lock(mutex_);
    if (waiting_.empty()) return;  // cancelled
    next = std::move(waiting_.front());
    waiting_.pop_front();
    ++running_;
  }
  const CUfileIOParams_t& operation = next->operation;
  const ssize_t result = next->file == nullptr
                             ? -CU_FILE_HANDLE_NOT_REGISTERED
                             : transfer(operation.opcode, *next->file, placeOf(operation), next->memory);
  const std::lock_guard lock(mutex_);
  --running_;
  end(operation.cookie, result < 0 ? CUFILE_FAILED : CUFILE_COMPLETE, result);
}

// Under the lock.
void Batch::end(void* cookie, CUfileStatus_t status, ssize_t result) {
  events_.push_back({cookie, status, static_cast<size_t>(result)});
  ended_.notify_all();
}

unsigned Batch::take(unsigned least, unsigned most, CUfileIOEvents_t* events, const timespec* timeout) {
  std::unique_lock lock(mutex_);
  const auto isEnough = [&] { return events_.size() >= least || (waiting_.empty() && running_ == 0); };
  if (timeout == nullptr) {
    ended_.wait(lock, isEnough);
  } else {
    ended_.wait_for(lock, std::chrono::seconds(timeout->tv_sec) + std::chrono::nanoseconds(timeout->tv_nsec),
                    isEnough);
  }
  const auto count = static_cast<unsigned>(std::min<size_t>(most, events_.size()));
  std::copy_n(events_.begin(), count, events);
  events_.erase(events_.begin(), events_.begin() + count);
  return count;
}

void Batch::cancel() {
  const std::lock_guard lock(mutex_);
  for (const Waiting& one : waiting_) end(one.operation.cookie, CUFILE_CANCELED, 0);
  waiting_.clear();
}

void Batch::waitForAll() {
  std::unique_lock lock(mutex_);
  ended_.wait(lock, [&] { return waiting_.empty() && running_ == 0; });
}

}  // namespace musashim::cufile

using namespace musashim::cufile;

extern "C" {

CUfileError_t cuFileBatchIOSetUp(CUfileBatchHandle_t* batch_idp, unsigned nr) {
  return entry(
      "cuFileBatchIOSetUp",
      [&] {
        if (batch_idp == nullptr || nr == 0 || nr > properties().max_batch_io_size)
          return CU_FILE_INVALID_VALUE;
        openIfClosed();
        auto batch = std::make_shared<Batch>(nr);
        *batch_idp = batch.get();
        const std::lock_guard lock(batches().mutex);
        batches().byHandle[batch.get()] = std::move(batch);
        return CU_FILE_SUCCESS;
      },
      batch_idp, nr);
}

CUfileError_t cuFileBatchIOSubmit(CUfileBatchHandle_t batch_idp, unsigned nr, CUfileIOParams_t* iocbp,
                                  unsigned int flags) {
  return entry(
      "cuFileBatchIOSubmit",
      [&] {
        const std::shared_ptr<Batch> batch = find(batch_idp);
        if (batch == nullptr || iocbp == nullptr || nr == 0 || flags != 0) return CU_FILE_INVALID_VALUE;
        return batch->submit(iocbp, nr);
      },
      batch_idp, nr, iocbp, flags);
}

CUfileError_t cuFileBatchIOGetStatus(CUfileBatchHandle_t batch_idp, unsigned min_nr, unsigned* nr,
                                     CUfileIOEvents_t* iocbp, struct timespec* timeout) {
  return entry(
      "cuFileBatchIOGetStatus",
      [&] {
        const std::shared_ptr<Batch> batch = find(batch_idp);
        if (batch == nullptr || nr == nullptr || iocbp == nullptr || min_nr > *nr)
          return CU_FILE_INVALID_VALUE;
        *nr = batch->take(min_nr, *nr, iocbp, timeout);
        return CU_FILE_SUCCESS;
      },
      batch_idp, min_nr, nr, iocbp, timeout);
}

CUfileError_t cuFileBatchIOCancel(CUfileBatchHandle_t batch_idp) {
  return entry(
      "cuFileBatchIOCancel",
      [&] {
        const std::shared_ptr<Batch> batch = find(batch_idp);
        if (batch == nullptr) return CU_FILE_INVALID_VALUE;
        batch->cancel();
        return CU_FILE_SUCCESS;
      },
      batch_idp);
}

void cuFileBatchIODestroy(CUfileBatchHandle_t batch_idp) {
  (void)entry(
      "cuFileBatchIODestroy",
      [&] {
        const std::shared_ptr<Batch> batch = find(batch_idp);
        if (batch == nullptr) return CU_FILE_INVALID_VALUE;
        batch->cancel();
        batch->waitForAll();
        const std::lock_guard lock(batches().mutex);
        batches().byHandle.erase(batch_idp);
        return CU_FILE_SUCCESS;
      },
      batch_idp);
}

}  // extern "C"
