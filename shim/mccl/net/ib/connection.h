// One direction of data between two ranks over RDMA.
//
// The receiver's requests go into a ring in the sender's memory, each with its number: address, key, room,
// tag. Where the next number stands, the sender may write: the data by RDMA, with its size as the immediate
// value, for which the receiver has an empty receive request posted. A size and tag that do not fit are found
// out by the sender, who writes nothing and says so by a notice of its own.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>

#include "mccl/bootstrap/socket.h"
#include "mccl/net/ib/queue.h"

namespace musashim::mccl {

inline constexpr int kIbRequests = 32;

// A place in the ring; written by the other side at one go, its number last.
struct IbPlace {
  uint64_t address = 0;
  uint32_t key = 0;
  uint32_t room = 0;
  uint32_t tag = 0;
  uint32_t reserved = 0;
  uint64_t number = 0;  // of the request, from 1 on
};

class IbConnection;

struct IbRequest {
  IbConnection* connection = nullptr;
  void* data = nullptr;
  size_t bytes = 0;
  uint32_t key = 0;
  uint32_t tag = 0;
  uint64_t number = 0;
  bool isPosted = false;
  bool isDone = false;
};

class IbConnection {
 public:
  IbConnection(IbDevice& device, bool sends) : queue_(device), sends_(sends) {}
  ~IbConnection();

  // The queue, and the ring.
  mcclResult_t open();
  // This end, to be told to the other one; and the other one, once it is known.
  IbAddress address() const;
  mcclResult_t connect(const IbAddress& peer);

  IbDevice& device() const { return queue_.device(); }

  // Null: no room now.
  IbRequest* begin(void* data, size_t bytes, int tag, ibv_mr* memory);
  // Posts what can be, and takes what is done. Requests end in their order.
  mcclResult_t progress();

  // TCP, until both are ready: who receives would write to a queue that does not listen yet.
  Fd socket;
  size_t heard = 0;
  IbAddress peer;

 private:
  bool isPeerReady();
  mcclResult_t postReceive(IbRequest& request);
  mcclResult_t postSends();
  mcclResult_t complete(const ibv_wc& completion);
  mcclResult_t failed(const char* what, const ibv_wc& completion) const;

  IbQueue queue_;
  const bool sends_;
  IbPlace* ring_ = nullptr;  // of the sender: what it may write; of the receiver: from where it tells
  ibv_mr* ringMemory_ = nullptr;
  uint64_t peerRing_ = 0;
  uint32_t peerKey_ = 0;
  std::deque<IbRequest*> requests_;
  uint64_t begun_ = 0;
  bool isReady_ = false;
};

}  // namespace musashim::mccl
