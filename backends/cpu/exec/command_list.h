// The pending commands of a queue: many producers one at a time, one consumer, and
// no memory from the heap once it is warm.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "interface/command.h"
#include "interface/queue.h"

namespace musashim::backend::cpu {

struct PendingCommand {
  Command command;
  uint64_t tag = 0;              // an observer's
  std::vector<Fence> waits;      // keeps its capacity
  std::vector<bool> registered;  // per fence: its queue will wake ours
};

// Chunks of commands in a chain. The producer's side is guarded by whoever calls;
// how many commands the consumer may take is published by the queue's counter.
class CommandList {
 public:
  CommandList() : tail_(new Chunk), head_(tail_) {}
  ~CommandList() {
    delete spare_.load();
    while (head_) delete std::exchange(head_, head_->next);
  }
  CommandList(const CommandList&) = delete;
  CommandList& operator=(const CommandList&) = delete;

  void push(Command&& command, std::span<const Fence> waits, uint64_t tag) {
    if (tailIndex_ == kChunk) {
      Chunk* chunk = spare_.exchange(nullptr, std::memory_order_acquire);
      if (!chunk) chunk = new Chunk;
      chunk->next = nullptr;
      tail_->next = chunk;
      tail_ = chunk;
      tailIndex_ = 0;
    }
    PendingCommand& place = tail_->places[tailIndex_++];
    place.command = std::move(command);
    place.tag = tag;
    if (!waits.empty()) {
      place.waits.assign(waits.begin(), waits.end());
      place.registered.assign(waits.size(), false);
    }
  }

  PendingCommand& front() {
    if (headIndex_ == kChunk) {
      Chunk* used = std::exchange(head_, head_->next);
      headIndex_ = 0;
      delete spare_.exchange(used, std::memory_order_release);
    }
    return head_->places[headIndex_];
  }

  // Drops the front and what it holds on to.
  void pop() {
    PendingCommand& place = front();
    place.command = Marker{};
    if (!place.waits.empty()) place.waits.clear();
    ++headIndex_;
  }

 private:
  static constexpr unsigned kChunk = 32;
  struct Chunk {
    PendingCommand places[kChunk];
    Chunk* next = nullptr;
  };

  alignas(64) Chunk* tail_;
  unsigned tailIndex_ = 0;
  std::atomic<Chunk*> spare_{nullptr};
  alignas(64) Chunk* head_;
  unsigned headIndex_ = 0;
};

}  // namespace musashim::backend::cpu
