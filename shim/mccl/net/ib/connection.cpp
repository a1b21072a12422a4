#include "mccl/net/ib/connection.h"

#include <sys/mman.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>

#include "mccl/core/log.h"

namespace musashim::mccl {
namespace {

constexpr size_t kRingBytes = 4096;
static_assert(kIbRequests * sizeof(IbPlace) <= kRingBytes);
constexpr uint32_t kRefused = 0xffffffff;  // instead of a size: the messages do not belong together

}  // namespace

IbConnection::~IbConnection() {
  if (ringMemory_) (void)verbs()->deregMr(ringMemory_);
  if (ring_) munmap(ring_, kRingBytes);
  for (IbRequest* request : requests_) delete request;
}

mcclResult_t IbConnection::open() {
  if (const mcclResult_t result = queue_.open(kIbRequests); result != mcclSuccess) return result;
  void* const memory = mmap(nullptr, kRingBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return fail(mcclSystemError, "NET/IB : no memory: {}", std::strerror(errno));
  ring_ = static_cast<IbPlace*>(memory);
  ringMemory_ =
      verbs()->regMr(device().pd(), ring_, kRingBytes, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
  if (ringMemory_) return mcclSuccess;
  return fail(mcclSystemError,
              "NET/IB : {} cannot register memory: {}; `ulimit -l` tells how much is allowed",
              device().name(), std::strerror(errno));
}

IbAddress IbConnection::address() const {
  IbAddress address = queue_.address();
  address.fifo = reinterpret_cast<uint64_t>(ring_);
  address.fifoKey = ringMemory_->rkey;
  return address;
}

mcclResult_t IbConnection::connect(const IbAddress& other) {
  peerRing_ = other.fifo;
  peerKey_ = other.fifoKey;
  return queue_.connect(other);
}

IbRequest* IbConnection::begin(void* data, size_t bytes, int tag, ibv_mr* memory) {
  if (requests_.size() >= kIbRequests) return nullptr;
  auto* const request = new IbRequest;
  request->connection = this;
  request->data = data;
  request->bytes = bytes;
  request->key = sends_ ? memory->lkey : memory->rkey;
  request->tag = static_cast<uint32_t>(tag);
  request->number = ++begun_;
  requests_.push_back(request);
  return request;
}

// An empty receive for the notice, then the place.
mcclResult_t IbConnection::postReceive(IbRequest& request) {
  ibv_recv_wr notice{}, *bad = nullptr;
  notice.wr_id = request.number;
  if (const int error = ibv_post_recv(queue_.pair(), &notice, &bad); error != 0)
    return fail(mcclSystemError, "NET/IB : ibv_post_recv failed: {}", std::strerror(error));
  const size_t index = request.number % kIbRequests;
  ring_[index] = {reinterpret_cast<uint64_t>(request.data),
                  request.key,
                  static_cast<uint32_t>(request.bytes),
                  request.tag,
                  0,
                  request.number};
  ibv_sge from{reinterpret_cast<uint64_t>(&ring_[index]), sizeof(IbPlace), ringMemory_->lkey};
  ibv_send_wr place{}, *badSend = nullptr;
  place.wr_id = 0;  // nobody waits for it
  place.sg_list = &from;
  place.num_sge = 1;
  place.opcode = IBV_WR_RDMA_WRITE;
  place.send_flags = IBV_SEND_SIGNALED;
  place.wr.rdma.remote_addr = peerRing_ + index * sizeof(IbPlace);
  place.wr.rdma.rkey = peerKey_;
  if (const int error = ibv_post_send(queue_.pair(), &place, &badSend); error != 0)
    return fail(mcclSystemError, "NET/IB : ibv_post_send failed: {}", std::strerror(error));
  request.isPosted = true;
  return mcclSuccess;
}

mcclResult_t IbConnection::postSends() {
  for (IbRequest* request : requests_) {
    if (request->isPosted) continue;
    IbPlace& place = ring_[request->number % kIbRequests];
    if (std::atomic_ref(place.number).load(std::memory_order_acquire) != request->number) return mcclSuccess;
    const bool fits = place.tag == request->tag && request->bytes <= place.room;
    ibv_sge from{reinterpret_cast<uint64_t>(request->data), static_cast<uint32_t>(request->bytes),
                 request->key};
    ibv_send_wr write{}, *bad = nullptr;
    write.wr_id = request->number;
    write.sg_list = &from;
    write.num_sge = fits && request->bytes > 0 ? 1 : 0;
    write.opcode = IBV_WR_RDMA_WRITE_WITH_IMM;
    write.send_flags = IBV_SEND_SIGNALED;
    write.imm_data = fits ? static_cast<uint32_t>(request->bytes) : kRefused;
    write.wr.rdma.remote_addr = place.address;
    write.wr.rdma.rkey = place.key;
    if (const int error = ibv_post_send(queue_.pair(), &write, &bad); error != 0)
      return fail(mcclSystemError, "NET/IB : ibv_post_send failed: {}", std::strerror(error));
    request->isPosted = true;
    if (fits) continue;
    return fail(mcclInvalidUsage,
                "NET/IB : the peer is in another call: it expects {} bytes with tag {:#x}, not {} with {:#x}",
                place.room, place.tag, request->bytes, request->tag);
  }
  return mcclSuccess;
}

mcclResult_t IbConnection::failed(const char* what, const ibv_wc& completion) const {
  return fail(mcclRemoteError,
              "NET/IB : {}:{} : {} failed: {} (vendor error {}); MCCL_IB_TIMEOUT and "
              "MCCL_IB_RETRY_CNT say how long the peer may be silent",
              device().name(), device().port(), what, verbs()->statusText(completion.status),
              completion.vendor_err);
}

mcclResult_t IbConnection::complete(const ibv_wc& completion) {
  if (completion.status != IBV_WC_SUCCESS) return failed(sends_ ? "a send" : "a receive", completion);
  if (completion.wr_id == 0) return mcclSuccess;  // a place was written
  for (IbRequest* request : requests_) {
    if (request->number != completion.wr_id) continue;
    if (!sends_) {
      if (completion.imm_data == kRefused)
        return fail(mcclInvalidUsage, "NET/IB : the peer is in another call, or sends more than {} bytes",
                    request->bytes);
      request->bytes = completion.imm_data;
    }
    request->isDone = true;
    break;
  }
  return mcclSuccess;
}

bool IbConnection::isPeerReady() {
  char byte = 0;
  if (isReady_) return true;
  isReady_ = recv(socket.get(), &byte, 1, MSG_DONTWAIT) == 1;
  if (isReady_) socket = Fd();
  return isReady_;
}

mcclResult_t IbConnection::progress() {
  if (sends_) {
    MCCL_RETURN_IF_ERROR(postSends());
  } else {
    if (!isPeerReady()) return mcclSuccess;
    for (IbRequest* request : requests_) {
      if (!request->isPosted) MCCL_RETURN_IF_ERROR(postReceive(*request));
    }
  }
  ibv_wc completions[16];
  while (true) {
    const int count = ibv_poll_cq(queue_.completions(), 16, completions);
    if (count < 0) return fail(mcclSystemError, "NET/IB : ibv_poll_cq failed");
    for (int i = 0; i < count; ++i) MCCL_RETURN_IF_ERROR(complete(completions[i]));
    if (count < 16) break;
  }
  while (!requests_.empty() && requests_.front()->isDone) requests_.pop_front();  // test() frees them
  return mcclSuccess;
}

}  // namespace musashim::mccl
