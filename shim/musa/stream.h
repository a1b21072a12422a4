// A stream: a backend queue plus CUDA's rules about the legacy default stream.
//
// Work of the legacy stream waits for all earlier work of the context's blocking
// streams, and their later work waits for it; both by fences at submission, so no
// thread waits for work here. Non-blocking streams take no part.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <span>

#include "interface/queue.h"

namespace musashim::musa {

class Context;

enum class StreamKind { kLegacy, kPerThread, kBlocking, kNonBlocking };

class Stream {
 public:
  Stream(Context& context, StreamKind kind, int priority, std::shared_ptr<backend::Queue> queue, uint64_t id);
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  // Appends `command` behind what the rules above and `waits` ask for.
  backend::Fence submit(backend::Command command, std::span<const backend::Fence> waits = {});

  // As submit(); `resource` lives until the command is complete.
  backend::Fence submitKeeping(backend::Command command, std::shared_ptr<void> resource);

  // Waits for all work submitted so far (and, for the legacy stream, for the blocking
  // streams' as well), helping to run it.
  void synchronize();
  bool isIdle();

  Context& context() const { return context_; }
  StreamKind kind() const { return kind_; }
  bool takesPartInLegacy() const { return kind_ == StreamKind::kBlocking || kind_ == StreamKind::kPerThread; }
  int priority() const { return priority_; }
  uint64_t id() const { return id_; }
  backend::Queue& queue() const { return *queue_; }
  backend::Fence lastFence() const { return {queue_, queue_->lastSubmitted()}; }

 private:
  backend::Fence submitLegacy(backend::Command command, std::span<const backend::Fence> waits);
  backend::Fence submitBlocking(backend::Command command, std::span<const backend::Fence> waits);
  void dropFinished();

  Context& context_;
  const StreamKind kind_;
  const int priority_;
  const uint64_t id_;
  std::shared_ptr<backend::Queue> queue_;

  // Blocking streams: the last command of the legacy stream that this one waits for
  // already, and the reverse.
  std::mutex orderMutex_;
  uint64_t seenLegacy_ = 0;
  uint64_t legacySeen_ = 0;

  struct Kept {
    uint64_t value;
    std::shared_ptr<void> resource;
  };
  std::mutex keptMutex_;
  std::deque<Kept> kept_;
};

}  // namespace musashim::musa
