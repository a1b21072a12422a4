// A stream: a backend queue plus CUDA's rules about the legacy default stream.
//
// Work of the legacy stream waits for all earlier work of the context's blocking
// streams, and their later work waits for it; both by fences at submission, so no
// thread waits for work here. Non-blocking streams take no part.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "interface/queue.h"
#include "musa.h"

namespace musashim::musa {

class Context;
class GraphNode;
struct CaptureSequence;

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

  // What stands before a command that was submitted now; complete already when there is nothing.
  backend::Fence frontier();
  // Later commands wait for `fence`. The frontier is `fence` itself until another command comes.
  void join(const backend::Fence& fence);

  // Several commands that count as one: `body` submits to other queues what shall run after
  // `begin`, and adds fences that the stream then waits for. No other submission to this stream
  // comes in between. Returns the fence of all of it.
  using GroupBody = std::function<void(const backend::Fence& begin, std::vector<backend::Fence>& ends)>;
  backend::Fence submitGroup(std::span<const backend::Fence> waits, const GroupBody& body);

  // Waits for all work submitted so far (and, for the legacy stream, for the blocking
  // streams' as well), helping to run it.
  void synchronize();
  bool isIdle();
  // Commands so far, with those of the legacy stream where later ones wait for it. Not of the legacy stream.
  uint64_t submitted() const;
  // Whether its next command would wait for nothing. May be false though it would not.
  bool isCaughtUp() const;

  Context& context() const { return context_; }
  StreamKind kind() const { return kind_; }
  bool takesPartInLegacy() const { return kind_ == StreamKind::kBlocking || kind_ == StreamKind::kPerThread; }
  // Capture (see graph/capture/capture.h): null unless the stream captures. With GraphLock, except for
  // the question itself.
  bool isCapturing() const { return capture_.load(std::memory_order_acquire) != nullptr; }
  CaptureSequence* capture() const { return capture_.load(std::memory_order_acquire); }
  void setCapture(CaptureSequence* sequence) { capture_.store(sequence, std::memory_order_release); }
  std::vector<GraphNode*> captureDependencies;  // what the next captured node depends on

  MUlaunchAttributeValue attribute(MUlaunchAttributeID id) const;
  void setAttribute(MUlaunchAttributeID id, const MUlaunchAttributeValue& value);

  int priority() const { return priority_.load(std::memory_order_relaxed); }
  void setPriority(int priority);  // of work to come; beyond the range its end is meant
  uint64_t id() const { return id_; }
  backend::Queue& queue() const { return *queue_; }
  backend::Fence lastFence() const { return {queue_, queue_->lastSubmitted()}; }

 private:
  // Locks that order this stream's submissions, and fences that its next one needs.
  struct Turn {
    std::unique_lock<std::mutex> own, streams;
    std::vector<std::unique_lock<std::mutex>> others;
    std::vector<backend::Fence> waits;
  };
  void takeTurn(Turn& turn);
  void dropFinished();

  Context& context_;
  const StreamKind kind_;
  std::atomic<int> priority_;
  const uint64_t id_;
  std::shared_ptr<backend::Queue> queue_;

  std::atomic<CaptureSequence*> capture_{nullptr};
  mutable std::mutex attributesMutex_;
  std::map<MUlaunchAttributeID, MUlaunchAttributeValue> attributes_;

  std::mutex orderMutex_;  // one submission at a time
  // The last join, and the number of its command here.
  backend::Fence joined_{};
  uint64_t joinedBy_ = 0;
  // Blocking streams: the last command of the legacy stream that this one waits for
  // already, and the reverse.
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
