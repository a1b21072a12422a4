// How the data of one collective goes between the hosts: in pieces, each on a way of its own.
//
// A piece may be reduced on its way to one host, spread from one host to all, or both in turn. Each host's
// part of that says from whom a piece comes and to whom it goes. Messages of one connection have an order
// that both of its ends know: by rounds, and in a ring by the step in which each can be sent at the earliest.
// What is first in that order never waits for what is behind it, so nobody waits for ever, however few
// messages are under way at a time, and over however many connections they are spread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "mccl/engine/task.h"
#include "mccl/hosts/host_map.h"

namespace musashim::mccl {

// Ring: each piece goes from neighbour to neighbour. Tree: two binary trees, which share the pieces. Direct:
// every host sends to those that need it.
enum class Way : uint8_t { kDirect, kTree, kRing };
const char* wayName(Way way);

inline constexpr size_t kPieceBytes = 128 << 10;
inline constexpr size_t kWindow = 6;  // messages under way on a connection

enum class Phase : uint8_t { kReduce, kSpread };

struct Piece {
  int source = -1;                                   // rank that the data is of; -1: it is reduced
  int target = -1;                                   // rank that gets it; -1: all
  size_t sendOffset = 0, recvOffset = 0, bytes = 0;  // in the buffers of the ranks

  // What this host does with it.
  std::vector<int> reduceFrom =
      {};  // hosts that send what they have, to be reduced with what the ranks here give
  std::vector<int> reduceTo = {};  // hosts that get that
  bool isSwap = false;             // these get what the ranks here give, and all do the same
  bool endsHere = false;           // it is fully reduced here
  int spreadFrom = -1;
  std::vector<int> spreadTo = {};

  uint32_t round = 0;
  int lane = 0;
  int reduceStart = 0, spreadStart = 0;  // hosts, in a ring
};

struct Schedule {
  bool isRing = false;
  std::vector<Piece> pieces;  // those that this host has to do with

  // Of messages that `sender` sends; smaller ones first.
  uint64_t orderOf(size_t index, Phase phase, int sender, int hosts) const;
};

// `most`: bytes of a piece; pieces cut no element. `channels` share the pieces, each by lanes of its own: one
// that rings and direct ways have, numbered from 0 on, then those of the first tree, then of the second.
// How many there are changes no result.
Schedule makeSchedule(const CollectiveTask& task, const HostMap& hosts, Way way, size_t most,
                      int channels = 1);

// The neighbours of a host in one of two binary trees over `hosts` of them with the same root. A host that
// has children in one is a leaf of the other, as far as that is possible.
struct TreePlace {
  int parent = -1;
  std::vector<int> children;
};
TreePlace treePlace(int hosts, int host, int root, int tree);

}  // namespace musashim::mccl
