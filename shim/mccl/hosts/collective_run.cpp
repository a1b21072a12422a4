#include "mccl/hosts/collective_run.h"

#include <algorithm>
#include <cstring>

#include "mccl/core/log.h"
#include "mccl/engine/algorithm.h"

namespace musashim::mccl {
namespace {

// So that ranks that are in different calls find out.
int tagOf(uint64_t sequence, const CollectiveTask& task) {
  uint64_t hash = sequence + 1;
  const auto mix = [&](uint64_t value) { hash = (hash ^ value) * 0x9e3779b97f4a7c15ull; };
  mix(static_cast<uint64_t>(task.kind));
  mix(task.count);
  mix(static_cast<uint64_t>(task.type));
  mix(static_cast<uint64_t>(task.root));
  mix(reduces(task.kind) ? static_cast<uint64_t>(task.reduction) + 1 : 0);
  return static_cast<int>((hash >> 33) & 0x7fffffff);
}

}  // namespace

void CollectiveRun::begin(uint64_t sequence, const CollectiveTask& task, int ranks, Buffers buffers,
                          const LinkOf& linkOf) {
  sequence_ = sequence;
  isUnderWay_ = true;
  failedPeer_ = -1;
  const Way way = chooseWay(task, hosts_, fabric_);
  const bool isAsBefore = !states_.empty() && way == way_ && sameSignature(task, task_);
  task_ = task;
  way_ = way;
  tag_ = tagOf(sequence, task);
  buffers_ = std::move(buffers);
  combiner_ = Combiner();
  if (reduces(task.kind)) {
    const bool inOrders = way == Way::kRing && chosenAlgorithm() == Algorithm::kRing;
    combiner_.begin(
        task, {buffers_.send.begin(), buffers_.send.end()}, buffers_.factors, ranks,
        inOrders ? std::span<const std::vector<int>>(orders_) : std::span<const std::vector<int>>());
  }
  if (!isAsBefore) schedule_ = makeSchedule(task, hosts_, way, kPieceBytes, fabric_.channels);
  states_.assign(schedule_.pieces.size(), {});
  if (isAsBefore) {
    for (std::vector<Stream>* streams : {&in_, &out_}) {
      for (Stream& stream : *streams) stream.begun = stream.done = 0;
    }
  } else {
    layStreams(linkOf);
  }
  left_ = 0;
  for (std::vector<Stream>* streams : {&in_, &out_}) {
    for (Stream& stream : *streams) {
      stream.doneBefore = stream.link->completed();
      left_ += stream.messages.size();
    }
  }
  startLocally();
}

CollectiveRun::Stream& CollectiveRun::streamOf(std::vector<Stream>& streams, int host, Phase phase, int lane,
                                               bool isOut, const LinkOf& linkOf) {
  for (Stream& stream : streams) {
    if (stream.host == host && stream.phase == phase && stream.lane == lane) return stream;
  }
  return streams.emplace_back(Stream{&linkOf(host, phase, lane, isOut), host, phase, lane, {}});
}

void CollectiveRun::layStreams(const LinkOf& linkOf) {
  in_.clear();
  out_.clear();
  const int hosts = hosts_.count(), own = hosts_.own();
  for (size_t index = 0; index < schedule_.pieces.size(); ++index) {
    const Piece& piece = schedule_.pieces[index];
    const auto comes = [&](int host, Phase phase) {
      streamOf(in_, host, phase, piece.lane, false, linkOf)
          .messages.push_back({schedule_.orderOf(index, phase, host, hosts), index});
    };
    const auto goes = [&](int host, Phase phase) {
      streamOf(out_, host, phase, piece.lane, true, linkOf)
          .messages.push_back({schedule_.orderOf(index, phase, own, hosts), index});
    };
    for (const int host : piece.reduceFrom) comes(host, Phase::kReduce);
    for (const int host : piece.reduceTo) goes(host, Phase::kReduce);
    if (piece.spreadFrom >= 0) comes(piece.spreadFrom, Phase::kSpread);
    for (const int host : piece.spreadTo) goes(host, Phase::kSpread);
  }
  for (std::vector<Stream>* streams : {&in_, &out_}) {
    for (Stream& stream : *streams) std::ranges::sort(stream.messages, {}, &Message::order);
  }
}

// What needs nobody else. Pieces that only stay here are copied when there is nothing to send or to take: others
// wait for what is sent.
void CollectiveRun::startLocally() {
  copies_.clear();
  nextCopy_ = 0;
  for (size_t index = 0; index < schedule_.pieces.size(); ++index) {
    const Piece& piece = schedule_.pieces[index];
    State& state = states_[index];
    state.toSend = piece.reduceTo.size();
    if (piece.source >= 0) {
      if (piece.spreadFrom >= 0) continue;
      state.isSpreadReady = true;
      if (piece.target < 0 || hosts_.hostOf(piece.target) == hosts_.own()) copies_.push_back(index);
    } else if (piece.reduceFrom.empty() && piece.endsHere) {
      reduce(index);
    }
  }
}

mcclResult_t CollectiveRun::progress(bool& moved) {
  const auto move = [&](Stream& stream, bool isOut) {
    const mcclResult_t result = isOut ? moveOut(stream, moved) : moveIn(stream, moved);
    if (result != mcclSuccess) failedPeer_ = stream.link->peer();
    return result;
  };
  for (Stream& stream : in_) MCCL_RETURN_IF_ERROR(move(stream, false));
  for (Stream& stream : out_) MCCL_RETURN_IF_ERROR(move(stream, true));
  if (!moved && nextCopy_ < copies_.size()) {
    copyOne();
    moved = true;
  }
  return mcclSuccess;
}

void CollectiveRun::copyOne() {
  const Piece& piece = schedule_.pieces[copies_[nextCopy_++]];
  deliver(piece, sourceOf(piece));
}

mcclResult_t CollectiveRun::moveIn(Stream& stream, bool& moved) {
  if (stream.done == stream.messages.size()) return mcclSuccess;
  const auto fill = [&]() -> mcclResult_t {
    while (stream.begun < stream.messages.size() && stream.begun - stream.done < kWindow) {
      Message& message = stream.messages[stream.begun];
      const Piece& piece = schedule_.pieces[message.piece];
      if (stream.phase == Phase::kReduce && !message.slot) message.slot = slots_.take();
      void* const to = message.slot ? message.slot : placeOf(piece);
      bool taken = false;
      MCCL_RETURN_IF_ERROR(stream.link->begin(to, piece.bytes, tag_, taken));
      if (!taken) return mcclSuccess;
      ++stream.begun;
    }
    return mcclSuccess;
  };
  MCCL_RETURN_IF_ERROR(fill());
  MCCL_RETURN_IF_ERROR(stream.link->poll());
  while (stream.done < stream.link->completed() - stream.doneBefore) {
    Message& message = stream.messages[stream.done++];
    --left_;
    moved = true;
    arrived(stream, message);
    message.slot = nullptr;
  }
  return fill();
}

void CollectiveRun::arrived(Stream& stream, const Message& message) {
  const Piece& piece = schedule_.pieces[message.piece];
  State& state = states_[message.piece];
  if (stream.phase == Phase::kSpread) {
    deliver(piece, placeOf(piece));
    state.isSpreadReady = true;
    return;
  }
  state.came.emplace_back(stream.host, message.slot);
  if (state.came.size() == piece.reduceFrom.size()) reduce(message.piece);
}

// All that has to come has come. What hosts give is combined in an order that does not depend on who comes
// first; where all do the same, in the hosts' order.
void CollectiveRun::reduce(size_t index) {
  const Piece& piece = schedule_.pieces[index];
  State& state = states_[index];
  if (piece.isSwap) (void)dataFor(index, Phase::kReduce);  // before the result may overwrite what it is of
  std::ranges::sort(state.came);
  std::vector<const void*> before, after;
  for (const auto& [host, slot] : state.came) {
    (piece.isSwap && host > hosts_.own() ? after : before).push_back(slot);
  }
  std::byte* to = piece.endsHere ? placeOf(piece) : nullptr;
  if (!to) to = state.partial = state.came.empty() ? slots_.take() : state.came.front().second;
  combiner_.run(to, before, piece.sendOffset, after, piece.bytes, static_cast<size_t>(piece.lane));
  for (const auto& [host, slot] : state.came) {
    if (slot != to) slots_.giveBack(slot);
  }
  state.came.clear();
  if (!piece.endsHere) return;
  combiner_.complete(to, piece.bytes);
  deliver(piece, to);
  state.isSpreadReady = true;
}

// Null: not yet.
const void* CollectiveRun::dataFor(size_t index, Phase phase) {
  const Piece& piece = schedule_.pieces[index];
  State& state = states_[index];
  if (phase == Phase::kSpread) {
    if (!state.isSpreadReady) return nullptr;
    return piece.source >= 0 && piece.spreadFrom < 0 ? sourceOf(piece) : placeOf(piece);
  }
  if (state.partial) return state.partial;
  if (!piece.isSwap) {
    if (piece.reduceFrom.empty()) reduce(index);
    return state.partial;
  }
  state.partial = slots_.take();
  combiner_.run(state.partial, {}, piece.sendOffset, {}, piece.bytes, static_cast<size_t>(piece.lane));
  return state.partial;
}

mcclResult_t CollectiveRun::moveOut(Stream& stream, bool& moved) {
  if (stream.done == stream.messages.size()) return mcclSuccess;
  while (stream.begun < stream.messages.size() && stream.begun - stream.done < kWindow) {
    const size_t index = stream.messages[stream.begun].piece;
    const void* const data = stream.link->comm() ? dataFor(index, stream.phase) : nullptr;
    if (!data) break;
    bool taken = false;
    const size_t bytes = schedule_.pieces[index].bytes;
    MCCL_RETURN_IF_ERROR(stream.link->begin(const_cast<void*>(data), bytes, tag_, taken));
    if (!taken) break;
    ++stream.begun;
    moved = true;
  }
  MCCL_RETURN_IF_ERROR(stream.link->poll());
  while (stream.done < stream.link->completed() - stream.doneBefore) {
    sent(stream, stream.messages[stream.done++]);
    --left_;
    moved = true;
  }
  return mcclSuccess;
}

void CollectiveRun::sent(const Stream& stream, const Message& message) {
  State& state = states_[message.piece];
  if (stream.phase != Phase::kReduce || --state.toSend > 0 || !state.partial) return;
  slots_.giveBack(state.partial);
}

int CollectiveRun::seatOf(int rank) const {
  const std::vector<int>& here = hosts_.at(hosts_.own()).ranks;
  return static_cast<int>(std::ranges::find(here, rank) - here.begin());
}

const std::byte* CollectiveRun::sourceOf(const Piece& piece) const {
  return buffers_.send[static_cast<size_t>(seatOf(piece.source))] + piece.sendOffset;
}

// Where it comes to first: the buffer of its target, or of the first rank.
std::byte* CollectiveRun::placeOf(const Piece& piece) const {
  const int seat = piece.target >= 0 ? seatOf(piece.target) : 0;
  return buffers_.recv[static_cast<size_t>(seat)] + piece.recvOffset;
}

void CollectiveRun::deliver(const Piece& piece, const std::byte* data) const {
  const auto put = [&](std::byte* to) {
    if (to != data) std::memcpy(to, data, piece.bytes);
  };
  if (piece.target >= 0) return put(placeOf(piece));
  for (std::byte* recv : buffers_.recv) put(recv + piece.recvOffset);
}

std::span<Link* const> CollectiveRun::waitingLinks() {
  waiting_.clear();
  for (const std::vector<Stream>* streams : {&in_, &out_}) {
    for (const Stream& stream : *streams) {
      if (stream.done < stream.messages.size()) waiting_.push_back(stream.link);
    }
  }
  return waiting_;
}

}  // namespace musashim::mccl
