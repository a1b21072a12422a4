#include "mccl/perf/collectives.h"

#include <map>

namespace musashim::perf {
namespace {

// Parts of a buffer begin at multiples of 16 bytes.
size_t partOf(size_t elements, size_t elementBytes, size_t ranks) {
  return elements / ranks & ~(16 / elementBytes - 1);
}

Counts whole(size_t elements, size_t, size_t) { return {elements, elements, elements, 0, 0, elements}; }
Counts gathered(size_t elements, size_t bytes, size_t ranks) {
  const size_t part = partOf(elements, bytes, ranks);
  return {part, part, part * ranks, part, 0, part * ranks};
}
Counts scattered(size_t elements, size_t bytes, size_t ranks) {
  const size_t part = partOf(elements, bytes, ranks);
  return {part, part * ranks, part, 0, part, part * ranks};
}
Counts exchanged(size_t elements, size_t bytes, size_t ranks) {
  const size_t part = partOf(elements, bytes, ranks);
  return {part, part * ranks, part * ranks, 0, 0, part * ranks};
}

bool everyone(int, int) { return true; }
bool onlyRoot(int rank, int root) { return rank == root; }

void fromAll(size_t index, size_t, int, int, int, int& from, size_t& at) {
  from = -1;
  at = index;
}
void fromAllInParts(size_t index, size_t count, int rank, int, int, int& from, size_t& at) {
  from = -1;
  at = static_cast<size_t>(rank) * count + index;
}
void fromRoot(size_t index, size_t, int, int root, int, int& from, size_t& at) {
  from = root;
  at = index;
}
void fromRootInParts(size_t index, size_t count, int rank, int root, int, int& from, size_t& at) {
  from = root;
  at = static_cast<size_t>(rank) * count + index;
}
void fromEach(size_t index, size_t count, int, int, int, int& from, size_t& at) {
  from = static_cast<int>(index / count);
  at = index % count;
}
void fromEachInParts(size_t index, size_t count, int rank, int, int, int& from, size_t& at) {
  from = static_cast<int>(index / count);
  at = static_cast<size_t>(rank) * count + index % count;
}
void fromPrevious(size_t index, size_t, int rank, int, int ranks, int& from, size_t& at) {
  from = (rank + ranks - 1) % ranks;
  at = index;
}

double one(double) { return 1; }
double share(double ranks) { return (ranks - 1) / ranks; }
double twice(double ranks) { return 2 * (ranks - 1) / ranks; }

mcclResult_t exchangeWithNeighbours(const Call& c) {
  const int next = (c.rank + 1) % c.ranks, previous = (c.rank + c.ranks - 1) % c.ranks;
  mcclResult_t result = mcclGroupStart();
  if (result == mcclSuccess) result = mcclSend(c.send, c.count, c.type, next, c.comm, c.stream);
  if (result == mcclSuccess) result = mcclRecv(c.recv, c.count, c.type, previous, c.comm, c.stream);
  const mcclResult_t ended = mcclGroupEnd();
  return result != mcclSuccess ? result : ended;
}

// An all-gather in log2(ranks) exchanges, each of twice as much. Ranks: a power of two.
mcclResult_t gatherOnHypercube(const Call& c) {
  const size_t bytes = c.count * sizeOf(c.type);
  char* own = c.recv + static_cast<size_t>(c.rank) * bytes;
  if (own != c.send &&
      musaMemcpyAsync(own, c.send, bytes, musaMemcpyDeviceToDevice, c.stream) != musaSuccess) {
    return mcclUnhandledMusaError;
  }
  for (int distance = 1; distance < c.ranks; distance *= 2) {
    const int peer = c.rank ^ distance;
    const size_t have = static_cast<size_t>(c.rank & ~(distance - 1)),
                 want = static_cast<size_t>(peer & ~(distance - 1));
    const size_t count = c.count * static_cast<size_t>(distance);
    mcclResult_t result = mcclGroupStart();
    if (result == mcclSuccess)
      result = mcclSend(c.recv + have * bytes, count, c.type, peer, c.comm, c.stream);
    if (result == mcclSuccess)
      result = mcclRecv(c.recv + want * bytes, count, c.type, peer, c.comm, c.stream);
    const mcclResult_t ended = mcclGroupEnd();
    if (result != mcclSuccess || ended != mcclSuccess) return result != mcclSuccess ? result : ended;
  }
  return mcclSuccess;
}

const std::map<std::string, Collective> kCollectives = {
    {"all_reduce_perf",
     {"AllReduce", true, false, true, whole,
      [](const Call& c) { return mcclAllReduce(c.send, c.recv, c.count, c.type, c.op, c.comm, c.stream); },
      everyone, fromAll, twice}},
    {"reduce_perf",
     {"Reduce", true, true, true, whole,
      [](const Call& c) {
        return mcclReduce(c.send, c.recv, c.count, c.type, c.op, c.root, c.comm, c.stream);
      },
      onlyRoot, fromAll, one}},
    {"broadcast_perf",
     {"Broadcast", false, true, true, whole,
      [](const Call& c) { return mcclBroadcast(c.send, c.recv, c.count, c.type, c.root, c.comm, c.stream); },
      everyone, fromRoot, one}},
    {"all_gather_perf",
     {"AllGather", false, false, true, gathered,
      [](const Call& c) { return mcclAllGather(c.send, c.recv, c.count, c.type, c.comm, c.stream); },
      everyone, fromEach, share}},
    {"reduce_scatter_perf",
     {"ReduceScatter", true, false, true, scattered,
      [](const Call& c) {
        return mcclReduceScatter(c.send, c.recv, c.count, c.type, c.op, c.comm, c.stream);
      },
      everyone, fromAllInParts, share}},
    {"alltoall_perf",
     {"AlltoAll", false, false, false, exchanged,
      [](const Call& c) { return mcclAlltoAll(c.send, c.recv, c.count, c.type, c.comm, c.stream); }, everyone,
      fromEachInParts, share}},
    {"gather_perf",
     {"Gather", false, true, true, gathered,
      [](const Call& c) { return mcclGather(c.send, c.recv, c.count, c.type, c.root, c.comm, c.stream); },
      onlyRoot, fromEach, share}},
    {"scatter_perf",
     {"Scatter", false, true, true, scattered,
      [](const Call& c) { return mcclScatter(c.send, c.recv, c.count, c.type, c.root, c.comm, c.stream); },
      everyone, fromRootInParts, share}},
    {"sendrecv_perf",
     {"SendRecv", false, false, false, whole, exchangeWithNeighbours, everyone, fromPrevious, one}},
    {"hypercube_perf",
     {"HyperCube", false, false, true, gathered, gatherOnHypercube, everyone, fromEach, one}},
};

}  // namespace

const Collective* collectiveOf(const std::string& program) {
  const auto found = kCollectives.find(program);
  return found == kCollectives.end() ? nullptr : &found->second;
}

}  // namespace musashim::perf
