#include "mccl/group/together_batch.h"

#include <fmt/core.h>

#include "mccl/core/log.h"
#include "mccl/runtime/stream.h"

namespace musashim::mccl {

TogetherBatch::TogetherBatch(std::span<Work*> works, std::vector<TransferMatch> matches)
    : parts_(works.size()), matches_(std::move(matches)) {
  for (Work* work : works) {
    parts_[work->member->rank()] = {work->member, work->member->enqueueWork(), std::move(work->collectives),
                                    std::move(work->transfers)};
  }
}

mcclResult_t TogetherBatch::launch(std::span<Work*> works, std::vector<TransferMatch> matches) {
  std::vector<StreamGroup> groups;
  groups.reserve(works.size());
  for (const Work* work : works) {
    std::shared_ptr<Event>& event = work->member->event();
    if (!event) event = std::make_shared<Event>();
    groups.push_back({work->member->device(), work->streams, event.get()});
  }
  Clique& clique = works.front()->member->clique();
  // From here on the ranks' numbers are taken: a failure ends the communicator.
  std::unique_ptr<TogetherBatch> batch(new TogetherBatch(works, std::move(matches)));
  const mcclResult_t result = queueTogether(groups, &TogetherBatch::arrive, &TogetherBatch::run, batch.get());
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
  Clique& clique = batch->parts_.front().member->clique();
  if (const int failed = batch->status_.load(); failed != musaSuccess) {
    clique.fail(mcclUnhandledMusaError, fmt::format("a device has failed with error {}", failed));
  } else {
    batch->runAll(clique);
  }
  for (Part& part : batch->parts_) part.member->finishWork(part.index);
}

void TogetherBatch::runAll(Clique& clique) {
  std::vector<std::unique_lock<std::mutex>> running;
  running.reserve(parts_.size());
  for (Part& part : parts_) {
    if (!part.member->awaitTurn(part.index)) return;
    running.push_back(part.member->lockRunning());
  }
  std::vector<CollectiveTask> tasks(parts_.size());
  for (size_t i = 0; i < parts_.front().collectives.size(); ++i) {
    for (size_t rank = 0; rank < parts_.size(); ++rank) {
      tasks[rank] = parts_[rank].collectives[i];
      (void)parts_[rank].member->nextCollective();  // slots of the segment go by number
    }
    clique.runTogether(tasks);
  }
  if (!matches_.empty()) clique.runTogether(matches_);
}

}  // namespace musashim::mccl
