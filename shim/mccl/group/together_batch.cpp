#include "mccl/group/together_batch.h"

#include <fmt/core.h>

#include <memory>
#include <utility>

#include "mccl/core/log.h"
#include "mccl/group/at_once.h"
#include "mccl/runtime/stream.h"

namespace musashim::mccl {

TogetherBatch::TogetherBatch(WorkOfAll& all) : matches_(std::move(all.matches)) {
  works_.reserve(all.works.size());
  all_.reserve(all.works.size());
  for (Work* work : all.works) {
    works_.push_back({work->member, {}, std::move(work->collectives), std::move(work->transfers), 0});
    all_.push_back(&works_.back());
  }
  turn_.emplace(all_);
}

mcclResult_t TogetherBatch::launch(WorkOfAll& all, bool isFirst) {
  std::vector<StreamGroup> groups;
  groups.reserve(all.works.size());
  for (const Work* work : all.works) {
    noteWritten(*work);
    std::shared_ptr<Event>& event = work->member->event();
    if (!event) event = std::make_shared<Event>();
    groups.push_back({work->member->device(), work->streams, event.get()});
  }
  Clique& clique = all.works.front()->member->clique();
  // From here on the ranks' numbers are taken: a failure ends the communicator.
  std::unique_ptr<TogetherBatch> batch(new TogetherBatch(all));
  const mcclResult_t result =
      queueTogether(groups, isFirst ? nullptr : &TogetherBatch::arrive, &TogetherBatch::run, batch.get());
  if (result != mcclSuccess) {
    clique.fail(result, "the work of all ranks could not be queued: " + lastError());
    (void)batch.release();  // some streams may hold it
    return result;
  }
  (void)batch.release();  // run() frees it
  return mcclSuccess;
}

void TogetherBatch::noteStatus(musaError_t status) {
  if (status != musaSuccess) status_.store(status);
}

void TogetherBatch::arrive(musaStream_t, musaError_t status, void* data) {
  static_cast<TogetherBatch*>(data)->noteStatus(status);
}

void TogetherBatch::run(musaStream_t, musaError_t status, void* data) {
  const std::unique_ptr<TogetherBatch> batch(static_cast<TogetherBatch*>(data));
  batch->noteStatus(status);
  Clique& clique = batch->works_.front().member->clique();
  if (const int failed = batch->status_.load(); failed != musaSuccess) {
    clique.fail(mcclUnhandledMusaError, fmt::format("a device has failed with error {}", failed));
  } else {
    batch->turn_->run(batch->matches_);
  }
}

}  // namespace musashim::mccl
