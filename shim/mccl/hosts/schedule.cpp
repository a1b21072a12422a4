#include "mccl/hosts/schedule.h"

#include <algorithm>
#include <utility>

#include "mccl/core/data_type.h"

namespace musashim::mccl {
namespace {

// Makes the pieces of one collective as one host sees them.
class Maker {
 public:
  Maker(const CollectiveTask& task, const HostMap& hosts, Way way, size_t most, int channels, Schedule& made)
      : task_(task),
        hosts_(hosts),
        way_(way),
        element_(elementSize(task.type)),
        most_(std::max(element_, most / element_ * element_)),
        channels_(static_cast<uint32_t>(channels)),
        made_(made) {}

  void make() {
    const size_t block = task_.count * element_;
    switch (task_.kind) {
      case CollectiveKind::kAllReduce:
        return way_ == Way::kRing ? reduceInRing(block) : reduceForAll(block);
      case CollectiveKind::kReduce:
        return cut(block, [&](size_t begin, size_t bytes, uint32_t round) {
          reduceFor(task_.root, {.sendOffset = begin, .recvOffset = begin, .bytes = bytes, .round = round});
        });
      case CollectiveKind::kBroadcast:
        return cut(block, [&](size_t begin, size_t bytes, uint32_t round) {
          spreadOf(task_.root, {.sendOffset = begin, .recvOffset = begin, .bytes = bytes, .round = round});
        });
      case CollectiveKind::kAllGather:
        return eachRank(block, [&](int rank, size_t begin, size_t bytes, uint32_t round) {
          const size_t place = static_cast<size_t>(rank) * block + begin;
          spreadOf(rank, {.sendOffset = begin, .recvOffset = place, .bytes = bytes, .round = round});
        });
      case CollectiveKind::kReduceScatter:
        return eachRank(block, [&](int rank, size_t begin, size_t bytes, uint32_t round) {
          const size_t place = static_cast<size_t>(rank) * block + begin;
          reduceFor(rank, {.sendOffset = place, .recvOffset = begin, .bytes = bytes, .round = round});
        });
      case CollectiveKind::kAllToAll:
        return exchange(block);
    }
  }

 private:
  int own() const { return hosts_.own(); }
  int count() const { return hosts_.count(); }
  int after(int host) const { return (host + 1) % count(); }
  int before(int host) const { return (host + count() - 1) % count(); }
  int treeOf(const Piece& piece) const { return static_cast<int>(piece.round % 2); }

  // The next one first, so that not all send to the same one.
  std::vector<int> others() const {
    std::vector<int> all;
    for (int step = 1; step < count(); ++step) all.push_back((own() + step) % count());
    return all;
  }

  // In pieces of about the same size.
  template <class Each>
  void cut(size_t bytes, Each&& each) const {
    const size_t pieces = (bytes + most_ - 1) / most_;
    uint32_t round = 0;
    for (size_t begin = 0; begin < bytes;) {
      const size_t left = pieces - round;
      const size_t even = ((bytes - begin + left - 1) / left + element_ - 1) / element_ * element_;
      const size_t length = std::min(even, bytes - begin);
      each(begin, length, round++);
      begin += length;
    }
  }

  // The blocks of all ranks; the pieces of one host's ranks are numbered one after the other.
  template <class Each>
  void eachRank(size_t block, Each&& each) const {
    for (int host = 0; host < count(); ++host) {
      uint32_t rounds = 0;
      for (const int rank : hosts_.at(host).ranks) {
        cut(block, [&](size_t begin, size_t bytes, uint32_t) { each(rank, begin, bytes, rounds++); });
      }
    }
  }

  void reduceForAll(size_t bytes) {
    cut(bytes, [&](size_t begin, size_t length, uint32_t round) {
      Piece piece{.sendOffset = begin, .recvOffset = begin, .bytes = length, .round = round};
      if (way_ == Way::kDirect) {
        piece.isSwap = piece.endsHere = true;
        piece.reduceFrom = piece.reduceTo = others();
      } else {
        const TreePlace place = treePlace(count(), own(), 0, treeOf(piece));
        climb(piece, place);
        descend(piece, place);
      }
      add(std::move(piece));
    });
  }

  // Each round is cut for all hosts, who own a piece each.
  void reduceInRing(size_t bytes) {
    const size_t hosts = static_cast<size_t>(count());
    const size_t rounds = (bytes + most_ * hosts - 1) / (most_ * hosts);
    if (rounds == 0) return;
    const size_t each = (bytes + rounds * hosts - 1) / (rounds * hosts);
    const size_t even = (each + element_ - 1) / element_ * element_;
    size_t begin = 0;
    for (size_t index = 0; begin < bytes; ++index) {
      const size_t length = std::min(even, bytes - begin);
      const int owner = static_cast<int>(index % hosts);
      Piece piece{.sendOffset = begin,
                  .recvOffset = begin,
                  .bytes = length,
                  .round = static_cast<uint32_t>(index / hosts)};
      goAround(piece, owner);
      comeBack(piece, owner);
      add(std::move(piece));
      begin += length;
    }
  }

  void reduceFor(int target, Piece piece) {
    const int owner = hosts_.hostOf(target);
    piece.target = target;
    if (way_ == Way::kRing) {
      goAround(piece, owner);
    } else if (way_ == Way::kTree) {
      climb(piece, treePlace(count(), own(), owner, treeOf(piece)));
    } else if (own() == owner) {
      piece.reduceFrom = others();
      piece.endsHere = true;
    } else {
      piece.reduceTo = {owner};
    }
    add(std::move(piece));
  }

  void spreadOf(int source, Piece piece) {
    const int start = hosts_.hostOf(source);
    piece.source = source;
    if (way_ == Way::kRing) {
      comeBack(piece, start);
    } else if (way_ == Way::kTree) {
      descend(piece, treePlace(count(), own(), start, treeOf(piece)));
    } else if (own() == start) {
      piece.spreadTo = others();
    } else {
      piece.spreadFrom = start;
    }
    add(std::move(piece));
  }

  // From the host behind the owner to the owner.
  void goAround(Piece& piece, int owner) const {
    piece.reduceStart = after(owner);
    if (own() != piece.reduceStart) piece.reduceFrom = {before(own())};
    if (own() != owner) piece.reduceTo = {after(own())};
    piece.endsHere = own() == owner;
  }
  // From the owner to the host before it.
  void comeBack(Piece& piece, int owner) const {
    piece.spreadStart = owner;
    if (own() != owner) piece.spreadFrom = before(own());
    if (after(own()) != owner) piece.spreadTo = {after(own())};
  }

  static void climb(Piece& piece, const TreePlace& place) {
    piece.reduceFrom = place.children;
    if (place.parent >= 0) piece.reduceTo = {place.parent};
    piece.endsHere = place.parent < 0;
  }
  static void descend(Piece& piece, const TreePlace& place) {
    piece.spreadFrom = place.parent;
    piece.spreadTo = place.children;
  }

  // Each host begins with the next one, so that no host gets from all at the same time.
  void exchange(size_t block) {
    send(own(), block);
    for (int distance = 1; distance < count(); ++distance) {
      send((own() + distance) % count(), block);
      receive((own() + count() - distance) % count(), block);
    }
  }
  void send(int host, size_t block) {
    exchangeBetween(own(), host, block, [&](Piece& piece) {
      if (host != own()) piece.spreadTo = {host};
    });
  }
  void receive(int host, size_t block) {
    exchangeBetween(host, own(), block, [&](Piece& piece) { piece.spreadFrom = host; });
  }

  template <class Fill>
  void exchangeBetween(int from, int to, size_t block, Fill&& fill) {
    for (const int source : hosts_.at(from).ranks) {
      for (const int target : hosts_.at(to).ranks) {
        cut(block, [&](size_t begin, size_t bytes, uint32_t round) {
          Piece piece{.source = source,
                      .target = target,
                      .sendOffset = static_cast<size_t>(target) * block + begin,
                      .recvOffset = static_cast<size_t>(source) * block + begin,
                      .bytes = bytes,
                      .round = round};
          fill(piece);
          add(std::move(piece));
        });
      }
    }
  }

  void add(Piece piece) {
    uint32_t turn = piece.round, lane = 0;
    if (task_.kind == CollectiveKind::kAllToAll) {
      // Between two hosts there are pieces of many pairs of ranks.
      turn += static_cast<uint32_t>(piece.source + piece.target);
    } else if (way_ == Way::kTree) {
      lane = (1 + turn % 2) * channels_;
      turn /= 2;
    }
    piece.lane = static_cast<int>(lane + turn % channels_);
    made_.pieces.push_back(std::move(piece));
  }

  const CollectiveTask& task_;
  const HostMap& hosts_;
  const Way way_;
  const size_t element_, most_;
  const uint32_t channels_;
  Schedule& made_;
};

}  // namespace

const char* wayName(Way way) {
  constexpr const char* kNames[] = {"Direct", "Tree", "Ring"};
  return kNames[static_cast<int>(way)];
}

// As in a heap: the first half of the places have children. The second tree counts them from the other end.
TreePlace treePlace(int hosts, int host, int root, int tree) {
  const auto turn = [&](int place) { return tree == 0 || place == 0 ? place : hosts - place; };
  const auto hostAt = [&](int place) { return (turn(place) + root) % hosts; };
  const int place = turn((host - root + hosts) % hosts);
  TreePlace neighbours;
  if (place > 0) neighbours.parent = hostAt((place - 1) / 2);
  for (const int child : {2 * place + 1, 2 * place + 2}) {
    if (child < hosts) neighbours.children.push_back(hostAt(child));
  }
  return neighbours;
}

uint64_t Schedule::orderOf(size_t index, Phase phase, int sender, int hosts) const {
  const Piece& piece = pieces[index];
  if (!isRing) return index;
  const int start = phase == Phase::kReduce ? piece.reduceStart : piece.spreadStart;
  const auto hop = static_cast<uint64_t>((sender - start + hosts) % hosts);
  return ((piece.round + hop) << 16) | hop;
}

Schedule makeSchedule(const CollectiveTask& task, const HostMap& hosts, Way way, size_t most, int channels) {
  Schedule schedule;
  schedule.isRing = way == Way::kRing && task.kind != CollectiveKind::kAllToAll;
  Maker(task, hosts, way, most, channels, schedule).make();
  return schedule;
}

}  // namespace musashim::mccl
