#include "mccl/engine/segment.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <new>

#include "mccl/core/settings.h"
#include "mccl/engine/helpers.h"

namespace musashim::mccl {
namespace {

constexpr size_t kDefaultChunkBytes = 128 << 10;

size_t aligned(size_t bytes) { return (bytes + 4095) & ~size_t{4095}; }

size_t chunkBytes() {
  const size_t asked = settings().chunkBytes;
  return asked ? std::clamp<size_t>(asked, 4096, 64 << 20) : kDefaultChunkBytes;
}

std::byte* map(int fd, size_t bytes) {
  const int flags = fd >= 0 ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void* base = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, fd, 0);
  return base == MAP_FAILED ? nullptr : static_cast<std::byte*>(base);
}

struct NearDevices {
  uint8_t count;
  uint8_t devices[kMostNearDevices];
};

// Leaves the errno of what has failed.
std::nullptr_t giveUp(int fd) {
  const int error = errno;
  if (fd >= 0) close(fd);
  errno = error;
  return nullptr;
}

}  // namespace

Segment::Layout::Layout(size_t ranks) {
  rankStates = aligned(sizeof(Control));
  collectives = aligned(rankStates + ranks * sizeof(RankState));
  posts = aligned(collectives + ranks * 64);
  splits = aligned(posts + kSlots * ranks * sizeof(Post));
  memories = aligned(splits + 4 * ranks * sizeof(SplitEntry));
  rings = aligned(memories + 2 * ranks * sizeof(MemoryEntry));
  orders = aligned(rings + kMostRings * ranks * sizeof(uint16_t));
  near = aligned(orders + 2 * kMostHostChannels * ranks * sizeof(uint16_t));
  messages = aligned(near + ranks * sizeof(NearDevices));
  total = aligned(messages + ranks * ranks * kChannelDepth * sizeof(Message));
}

size_t Segment::bytesFor(int ranks) { return Layout(static_cast<size_t>(ranks)).total; }

// All atomics begin at zero, as fresh memory does: only what is not zero is written, so that
// the memory of channels that nobody uses is never touched. Message::turn counts relative
// to the message's place for the same reason; see Clique.
void Segment::construct() {
  Control& head = *new (base_) Control;
  head.ranks = static_cast<uint32_t>(ranks_);
  head.algorithm = chosenAlgorithm();
  head.chunkBytes = chunkBytes();
  head.shares = std::min({static_cast<size_t>(ranks_), Helpers::most(), kMostShares});
  // Ranks that have no processor each had best do nothing in turn: the last to come does it all.
  head.parts = ranks_ <= Helpers::processors() ? static_cast<uint64_t>(ranks_) : 1;
}

std::shared_ptr<Segment> Segment::create(int ranks, bool shared) {
  const size_t bytes = bytesFor(ranks);
  int fd = -1;
  if (shared) {
    fd = memfd_create("mccl", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0) return nullptr;
    if (fchmod(fd, 0600) != 0 || ftruncate(fd, static_cast<off_t>(bytes)) != 0) return giveUp(fd);
  }
  std::byte* base = map(fd, bytes);
  if (!base) return giveUp(fd);
  std::shared_ptr<Segment> segment(new Segment(fd, ranks, base));
  segment->construct();
  return segment;
}

std::shared_ptr<Segment> Segment::open(int fd, int ranks) {
  struct stat status {};
  const size_t bytes = bytesFor(ranks);
  std::byte* base = nullptr;
  if (fstat(fd, &status) == 0 && static_cast<size_t>(status.st_size) == bytes) base = map(fd, bytes);
  if (!base) return giveUp(fd);
  std::shared_ptr<Segment> segment(new Segment(fd, ranks, base));
  return segment->control().ranks == static_cast<uint32_t>(ranks) ? segment : nullptr;
}

void Segment::setRings(const std::vector<std::vector<int>>& rings) {
  uint16_t* place = at<uint16_t>(layout_.rings);
  control().rings = static_cast<uint32_t>(std::min(rings.size(), size_t{kMostRings}));
  for (uint32_t ring = 0; ring < control().rings; ++ring) {
    for (const int rank : rings[ring]) *place++ = static_cast<uint16_t>(rank);
  }
}

// Rings, then trees.
void Segment::setChannels(const ChannelPlan& plan) {
  Control& head = control();
  head.channels = static_cast<uint32_t>(plan.devices.size());
  head.latencyUs = plan.latencyUs;
  head.bytesPerUs = plan.bytesPerUs;
  std::ranges::copy(plan.devices, head.devices);
  uint16_t* place = at<uint16_t>(layout_.orders);
  for (const auto* orders : {&plan.rings, &plan.trees}) {
    for (const std::vector<int>& order : *orders) {
      for (const int rank : order) *place++ = static_cast<uint16_t>(rank);
    }
  }
  for (size_t rank = 0; rank < plan.near.size(); ++rank) {
    NearDevices& near = at<NearDevices>(layout_.near)[rank];
    near.count = static_cast<uint8_t>(std::min<size_t>(plan.near[rank].size(), kMostNearDevices));
    std::copy_n(plan.near[rank].begin(), near.count, near.devices);
  }
}

ChannelPlan Segment::channels() const {
  const Control& head = control();
  ChannelPlan plan;
  plan.devices.assign(head.devices, head.devices + head.channels);
  if (head.latencyUs > 0) plan.latencyUs = head.latencyUs;
  if (head.bytesPerUs > 0) plan.bytesPerUs = head.bytesPerUs;
  const uint16_t* place = at<uint16_t>(layout_.orders);
  for (auto* orders : {&plan.rings, &plan.trees}) {
    for (uint32_t channel = 0; channel < head.channels; ++channel, place += ranks_)
      orders->emplace_back(place, place + ranks_);
  }
  return plan;
}

int Segment::nearDevice(int rank, int number) const {
  const NearDevices& near = at<NearDevices>(layout_.near)[rank];
  return near.count == 0 ? 0 : near.devices[number % near.count];
}

Segment::~Segment() {
  munmap(base_, layout_.total);
  if (fd_ >= 0) close(fd_);
}

}  // namespace musashim::mccl
