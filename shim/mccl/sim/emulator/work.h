// What a collective costs the emulator: counted by the plan and the schedules that libmccl itself runs by.
#pragma once

#include <array>

#include "mccl/hosts/schedule.h"

namespace musashim::mccl::sim {

// A collective on the emulator. Ranks are processes, spread over the hosts one after the other; all hosts are
// on one machine, whose processors everybody shares.
struct EmulatedCall {
  CollectiveKind kind = CollectiveKind::kAllReduce;
  int ranks = 2, hosts = 1;
  size_t bytes = 0;  // as nccl-tests counts them
};

// What is done, in the order of the figures that tell what one of each takes (figures.h).
enum class Item : int {
  kCall,      // once
  kTurn,      // a rank's turn on a processor
  kLook,      // a rank that looks whether another one of its host has come
  kTraffic,   // bytes that ranks read and write
  kCombined,  // those of them that are reduced
  kFar,       // those of them that the cache has no room for
  kFollower,  // a rank that the first one of its host does the work of, where there are several hosts
  kGathered,  // a host with several ranks, whose first one waits for the others; as kAwaited
  kMessage,   // between hosts
  kAwaited,   // those of collectives in which nobody is done before all others have come
  kSentByte,  // of messages
};
constexpr size_t kItems = 11;
using Work = std::array<double, kItems>;

constexpr int kMostEmulated = 256;  // ranks; nobody has measured more

// `cacheBytes`: of the processors' last cache. `way`: how it goes between hosts, as libmccl chooses.
Work workOf(const EmulatedCall& call, double cacheBytes, Way& way);

}  // namespace musashim::mccl::sim
