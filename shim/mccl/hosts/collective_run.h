// One collective between hosts, on its way: which messages are under way, and what is done with those that
// have come.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "mccl/hosts/choice.h"
#include "mccl/hosts/combine.h"
#include "mccl/hosts/link.h"
#include "mccl/hosts/schedule.h"
#include "mccl/hosts/slots.h"

namespace musashim::mccl {

class CollectiveRun {
 public:
  using LinkOf = std::function<Link&(int host, Phase phase, int lane, bool isOut)>;

  explicit CollectiveRun(const HostMap& hosts) : hosts_(hosts), slots_(kPieceBytes) {}

  // What the hosts have agreed on, before the first collective. `orders`: of the ranks here, by channel, in
  // which MCCL_ALGO=Ring combines.
  void setFabric(const Fabric& fabric, std::vector<std::vector<int>> orders) {
    fabric_ = fabric;
    orders_ = std::move(orders);
  }

  // The buffers of the ranks here, in their order; null where a rank has none.
  struct Buffers {
    std::vector<const std::byte*> send;
    std::vector<std::byte*> recv;
    std::vector<uint64_t> factors;
  };
  void begin(uint64_t sequence, const CollectiveTask& task, int ranks, Buffers buffers, const LinkOf& linkOf);
  bool isUnderWay(uint64_t sequence) const { return isUnderWay_ && sequence_ == sequence; }

  // Moves on what can be. `moved`: something has.
  mcclResult_t progress(bool& moved);
  bool isDone() const { return left_ == 0 && nextCopy_ == copies_.size(); }
  void end() { isUnderWay_ = false; }

  // Those that something is waited for on, and the one that failed.
  std::span<Link* const> waitingLinks();
  int failedPeer() const { return failedPeer_; }

 private:
  struct Message {
    uint64_t order;
    size_t piece;
    std::byte* slot = nullptr;  // of one that comes to be reduced
  };
  // One direction of what goes on with one host.
  struct Stream {
    Link* link;
    int host;
    Phase phase;
    int lane;
    std::vector<Message> messages;
    size_t begun = 0, done = 0;
    size_t doneBefore = 0;  // messages of the connection before this collective
  };
  struct State {
    std::vector<std::pair<int, std::byte*>> came;  // by host, to be reduced
    std::byte* partial = nullptr;                  // what goes on to others
    size_t toSend = 0;                             // messages that need `partial`
    bool isSpreadReady = false;
  };

  Stream& streamOf(std::vector<Stream>& streams, int host, Phase phase, int lane, bool isOut,
                   const LinkOf& linkOf);
  void layStreams(const LinkOf& linkOf);
  void startLocally();
  void copyOne();
  mcclResult_t moveIn(Stream& stream, bool& moved);
  mcclResult_t moveOut(Stream& stream, bool& moved);
  void arrived(Stream& stream, const Message& message);
  void reduce(size_t index);
  void sent(const Stream& stream, const Message& message);
  const void* dataFor(size_t index, Phase phase);
  std::byte* placeOf(const Piece& piece) const;
  void deliver(const Piece& piece, const std::byte* data) const;
  const std::byte* sourceOf(const Piece& piece) const;
  int seatOf(int rank) const;

  const HostMap& hosts_;
  Fabric fabric_;
  std::vector<std::vector<int>> orders_;
  Slots slots_;
  Combiner combiner_;
  CollectiveTask task_;
  Way way_ = Way::kRing;
  Schedule schedule_;
  Buffers buffers_;
  std::vector<State> states_;
  std::vector<Stream> in_, out_;
  std::vector<Link*> waiting_;
  uint64_t sequence_ = 0;
  int tag_ = 0;
  size_t left_ = 0;             // messages that are not done
  std::vector<size_t> copies_;  // pieces that start here and belong here, too
  size_t nextCopy_ = 0;
  bool isUnderWay_ = false;
  int failedPeer_ = -1;
};

}  // namespace musashim::mccl
