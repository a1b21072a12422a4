#include "mtshmem/remote/connection.h"

#include <cstring>
#include <stdexcept>
#include <string>

#include "mccl/core/log.h"

namespace musashim::mtshmem {
namespace {

constexpr size_t kSlotBytes = sizeof(Message) + kPiece;

void check(mcclResult_t result, const char* what) {
  if (result == mcclSuccess) return;
  throw std::runtime_error(std::string(what) + ": the network, or the PE at its other end, has failed (" +
                           mccl::lastError() + ")");
}

}  // namespace

Connection::Connection(mccl::Net& net, void* sendComm, void* recvComm)
    : net_(net),
      sendComm_(sendComm),
      recvComm_(recvComm),
      sendBytes_(kSlots * kSlotBytes),
      recvBytes_(kSlots * kSlotBytes) {
  check(net_.regMr(sendComm_, sendBytes_.data(), sendBytes_.size(), sendMemory_), "registration");
  check(net_.regMr(recvComm_, recvBytes_.data(), recvBytes_.size(), recvMemory_), "registration");
  expectMore();
}

Connection::~Connection() {
  endAll(sending_, oldestSend_, nextSend_);
  endAll(expected_, nextHeard_, nextExpected_);
  (void)net_.deregMr(sendComm_, sendMemory_);
  (void)net_.deregMr(recvComm_, recvMemory_);
  net_.closeSend(sendComm_);
  net_.closeRecv(recvComm_);
}

// Those that are done, whose ends nobody has looked at so far: their memory is given back by that.
void Connection::endAll(void* const* requests, size_t first, size_t end) {
  for (size_t i = first; i < end; ++i) {
    bool done = false;
    size_t bytes = 0;
    if (net_.test(requests[i % kSlots], done, bytes) != mcclSuccess || !done) return;
  }
}

// In the order of the slots, whatever room the network has.
void Connection::expectMore() {
  while (nextExpected_ < nextHeard_ + kSlots) {
    const size_t slot = nextExpected_ % kSlots;
    expected_[slot] = nullptr;
    check(net_.irecv(recvComm_, recvBytes_.data() + slot * kSlotBytes, kSlotBytes, 0, recvMemory_,
                     expected_[slot]),
          "receive");
    if (expected_[slot] == nullptr) return;
    ++nextExpected_;
  }
}

bool Connection::freeSlots() {
  const size_t before = oldestSend_;
  while (oldestSend_ < nextSend_) {
    bool done = false;
    size_t bytes = 0;
    check(net_.test(sending_[oldestSend_ % kSlots], done, bytes), "send");
    if (!done) break;
    ++oldestSend_;
  }
  return oldestSend_ != before;
}

bool Connection::sayNow(const Message& message, const void* data) {
  freeSlots();
  if (nextSend_ - oldestSend_ == kSlots) return false;
  const size_t slot = nextSend_ % kSlots;
  char* const bytes = sendBytes_.data() + slot * kSlotBytes;
  std::memcpy(bytes, &message, sizeof message);
  const size_t more = data != nullptr ? message.bytes : 0;
  if (more > 0) std::memcpy(bytes + sizeof message, data, more);
  sending_[slot] = nullptr;
  check(net_.isend(sendComm_, bytes, sizeof message + more, 0, sendMemory_, sending_[slot]), "send");
  if (sending_[slot] == nullptr) return false;
  ++nextSend_;
  return true;
}

bool Connection::trySay(const Message& message, const void* data) {
  const std::lock_guard lock(mutex_);
  return sayNow(message, data);
}

void Connection::sayLater(const Message& message, const void* data) {
  const std::lock_guard lock(mutex_);
  if (later_.empty() && sayNow(message, data)) return;
  std::vector<char> bytes(sizeof message + (data != nullptr ? message.bytes : 0));
  std::memcpy(bytes.data(), &message, sizeof message);
  if (data != nullptr) std::memcpy(bytes.data() + sizeof message, data, message.bytes);
  later_.push_back(std::move(bytes));
}

bool Connection::moveOn() {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock) return false;  // whoever has it moves things on
  bool moved = freeSlots();
  while (!later_.empty()) {
    Message message;
    std::memcpy(&message, later_.front().data(), sizeof message);
    const bool hasData = later_.front().size() > sizeof message;
    if (!sayNow(message, hasData ? later_.front().data() + sizeof message : nullptr)) break;
    later_.pop_front();
    moved = true;
  }
  return moved;
}

bool Connection::listen(const std::function<void(const Message&, const char*)>& hear) {
  bool heard = false;
  for (size_t turn = 0; turn < kSlots && !isOver_; ++turn) {
    expectMore();
    if (nextHeard_ == nextExpected_) break;
    const size_t slot = nextHeard_ % kSlots;
    bool done = false;
    size_t bytes = 0;
    check(net_.test(expected_[slot], done, bytes), "receive");
    if (!done) break;
    ++nextHeard_;
    heard = true;
    const char* const data = recvBytes_.data() + slot * kSlotBytes;
    Message message;
    std::memcpy(&message, data, sizeof message);
    isOver_ = message.kind == Kind::kBye;
    if (!isOver_) hear(message, data + sizeof message);
  }
  return heard;
}

}  // namespace musashim::mtshmem
