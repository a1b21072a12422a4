// What is said to one PE of another host, and what it says. Any thread may say something; one thread, the
// agent, listens.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <vector>

#include "mccl/net/net.h"
#include "mtshmem/remote/wire.h"

namespace musashim::mtshmem {

class Connection {
 public:
  // Takes over both ends. Throws std::runtime_error, as the other functions do, when the network fails.
  Connection(mccl::Net& net, void* sendComm, void* recvComm);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // False: there is no room now. The data may be used again after it.
  bool trySay(const Message& message, const void* data);
  // The agent's: goes as soon as there is room, behind what went so before. Never waits.
  void sayLater(const Message& message, const void* data);
  // Moves what waits on its way; true if something moved.
  bool moveOn();
  // Calls `hear` for each message that has come; true if there was one.
  bool listen(const std::function<void(const Message&, const char* data)>& hear);

  void* recvComm() const { return recvComm_; }
  void* sendComm() const { return sendComm_; }
  // Whether the other end has said goodbye.
  bool isOver() const { return isOver_; }

 private:
  static constexpr size_t kSlots = 8;

  bool sayNow(const Message& message, const void* data);
  bool freeSlots();
  void expectMore();
  void endAll(void* const* requests, size_t first, size_t end);

  mccl::Net& net_;
  void* const sendComm_;
  void* const recvComm_;
  void *sendMemory_ = nullptr, *recvMemory_ = nullptr;
  std::vector<char> sendBytes_, recvBytes_;  // all slots'
  void* sending_[kSlots] = {};
  void* expected_[kSlots] = {};
  size_t nextSend_ = 0, oldestSend_ = 0;  // counted on for ever
  size_t nextHeard_ = 0, nextExpected_ = 0;
  bool isOver_ = false;
  std::mutex mutex_;  // of what is said
  std::deque<std::vector<char>> later_;
};

}  // namespace musashim::mtshmem
