// The memory in which the ranks of one communicator find each other: plain memory when they
// are all of one process, else a memory file without a name (so that nothing stays behind,
// however the processes end) that the processes map.
//
// Everything in it is an atomic, or data that one side writes before an atomic and the
// others read after it. No locks: a process may die anywhere.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "mccl.h"
#include "mccl/engine/algorithm.h"
#include "mccl/engine/chunk_share.h"
#include "mccl/engine/task.h"
#include "mccl/engine/wait_point.h"
#include "mccl/topology/channel_plan.h"

namespace musashim::mccl {

inline constexpr size_t kMostShares = 8;  // of one collective

// Collectives that a rank may have posted and not left yet: with more ranks than processors each posts what
// is queued when it has its turn, so that a turn is enough for many.
inline constexpr uint64_t kSlots = 16;

// A collective in flight, with work for many; its place is used again in turn.
struct SlotState {
  alignas(64) std::atomic<uint64_t> begun{0};  // sequence + 1 once a rank cuts the work
  std::atomic<uint64_t> ready{0};              // sequence + 1 once that is done, and all ranks agree
  std::atomic<uint64_t> finished{0};           // sequence + 1 once all is done
  std::atomic<size_t> chunks{0};
  std::atomic<uint64_t> number{0};  // of those with work for many
  alignas(64) std::atomic<size_t> done{0};
  struct alignas(64) Share : ChunkShare {};
  Share shares[kMostShares];  // jobs are numbered as the collectives, from 1 on
};

// One message of an ordered pair of ranks; its place is used again in turn.
struct Message {
  alignas(64) std::atomic<uint64_t> turn{0};  // number of the message whose sides may post
  std::atomic<uint32_t> posted{0};            // bit 0: the sender has, bit 1: the receiver has
  std::atomic<uint32_t> left{0};              // sides that are done with it
  std::atomic<uint64_t> matched{0};           // number + 1
  std::atomic<uint64_t> finished{0};          // number + 1
  std::atomic<size_t> next{0};                // pieces taken, and copied
  std::atomic<size_t> done{0};
  TransferTask send, recv;
};

inline constexpr uint64_t kChannelDepth = 4;  // messages in flight per ordered pair

// What a rank tells the others when a communicator is split or shrunk.
struct SplitEntry {
  alignas(64) std::atomic<uint64_t> posted{0};  // number of the split + 1
  int color = 0;
  int key = 0;
  std::atomic<uint64_t> invited{0};  // number + 1: `invitation` is set
  mcclUniqueId invitation = {};
};

// A piece of a rank's memory, for what all ranks make of theirs together.
struct MemoryCard {
  enum Use : uint32_t { kWindow = 1, kDeviceComm, kMade };
  Use use = kWindow;
  bool isGood = true;  // false: the rank has nothing to give
  uint64_t bytes = 0;
  Buffer memory;
};

struct MemoryEntry {
  alignas(64) std::atomic<uint64_t> posted{0};  // number of the exchange + 1
  MemoryCard card;
};

struct RankState {
  enum Presence : uint32_t { kHere, kLeft, kDead };
  // Seldom written, so that all may look at it in their caches.
  alignas(64) std::atomic<uint32_t> presence{kHere};
  std::atomic<int> processor{0};  // that its thread was on when it came to its latest work, + 1
  // Written with each collective; what others wait for, apart from all else.
  // Of small collectives: the last one whose part of this rank somebody does, or has done, + 1.
  alignas(64) std::atomic<uint64_t> partDone{0};
  alignas(64) std::atomic<uint64_t> partTaken{0};
  std::atomic<uint32_t> workers{0};  // its threads that touch buffers now
  // Of its sends and receives: what it sleeps on, how many are posted and not copied, and whether it looks
  // for other changes than the end of the last of these.
  alignas(64) WaitWord messages;
  std::atomic<uint32_t> unfinished{0};
  std::atomic<uint32_t> watches{0};
};

struct alignas(64) Post {
  CollectiveTask task;
};

struct Control {
  uint32_t ranks = 0;
  // The creator's settings hold for all.
  Algorithm algorithm = Algorithm::kDirect;
  uint64_t chunkBytes = 0;  // piece of work that one thread takes
  uint64_t shares = 1;      // of the chunks of a collective
  uint64_t parts = 1;       // of a small collective, at most: each is a rank's
  uint32_t rings = 0;
  // Of the channels to other hosts; see ChannelPlan.
  uint32_t channels = 0;
  ChannelPlan::Devices devices[kMostHostChannels];
  double latencyUs = 0, bytesPerUs = 0;
  alignas(64) WaitWord waitWord;
  std::atomic<uint64_t> large{0};  // collectives with work for many
  alignas(64) std::atomic<uint32_t> stopped{0};
  std::atomic<uint32_t> failed{0};  // someone writes `text`
  char text[512] = {};              // set before `error`
  std::atomic<int> error{mcclSuccess};
  SlotState slots[kSlots];
};

class Segment {
 public:
  // Of this process alone, or for several. Null when there is no memory.
  static std::shared_ptr<Segment> create(int ranks, bool shared);
  // What another process has created; takes `fd`. Null when it is not what it should be.
  static std::shared_ptr<Segment> open(int fd, int ranks);
  ~Segment();
  Segment(const Segment&) = delete;
  Segment& operator=(const Segment&) = delete;

  bool shared() const { return fd_ >= 0; }
  int fd() const { return fd_; }
  int ranks() const { return ranks_; }
  static size_t bytesFor(int ranks);

  Control& control() const { return *reinterpret_cast<Control*>(base_); }
  RankState& rank(int index) const { return at<RankState>(layout_.rankStates)[index]; }
  // How many collectives a rank has come to. Ranks that can all run at a time have a line each to write to;
  // others one for eight of them, so that a look or two tells who has come.
  std::atomic<uint64_t>& collectives(int rank) const {
    return at<std::atomic<uint64_t>>(layout_.collectives)[control().parts > 1 ? 8 * rank : rank];
  }
  // Of the collective with this number, and what `rank` has posted for it.
  SlotState& slot(uint64_t sequence) const { return control().slots[sequence % kSlots]; }
  CollectiveTask& post(uint64_t sequence, int rank) const {
    return at<Post>(layout_.posts)[(sequence % kSlots) * ranks_ + rank].task;
  }
  bool isFinished(uint64_t sequence) const { return slot(sequence).finished.load() == sequence + 1; }
  // Of splits (kind 0) and shrinks (kind 1); two numbers take turns.
  SplitEntry& split(int kind, uint64_t number, int rank) const {
    return at<SplitEntry>(layout_.splits)[(static_cast<size_t>(kind) * 2 + number % 2) * ranks_ + rank];
  }
  // Two exchanges take turns: who begins one has seen all of the one before the last.
  MemoryEntry& memory(uint64_t exchange, int rank) const {
    return at<MemoryEntry>(layout_.memories)[(exchange % 2) * static_cast<size_t>(ranks_) + rank];
  }
  // By whoever creates it, before others have it. The first kMostRings of them; ranks in each ring's order.
  void setRings(const std::vector<std::vector<int>>& rings);
  // The same for what goes to other hosts, by places of the ranks here.
  void setChannels(const ChannelPlan& plan);
  ChannelPlan channels() const;
  // Of the network devices nearest to a rank, one for each number.
  int nearDevice(int rank, int number) const;
  Rings rings() const { return {at<uint16_t>(layout_.rings), control().rings * static_cast<size_t>(ranks_)}; }
  Message& message(int from, int to, uint64_t number) const {
    const size_t channel = static_cast<size_t>(from) * ranks_ + to;
    return at<Message>(layout_.messages)[channel * kChannelDepth + number % kChannelDepth];
  }

 private:
  struct Layout {
    explicit Layout(size_t ranks);
    size_t rankStates, collectives, posts, splits, memories, rings, orders, near, messages, total;
  };
  Segment(int fd, int ranks, std::byte* base) : fd_(fd), ranks_(ranks), layout_(ranks), base_(base) {}
  void construct();

  template <class T>
  T* at(size_t offset) const {
    return reinterpret_cast<T*>(base_ + offset);
  }

  const int fd_;  // -1: memory of this process
  const int ranks_;
  const Layout layout_;
  std::byte* const base_;
};

}  // namespace musashim::mccl
