#include "mccl/hosts/link.h"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <span>

#include "mccl/bootstrap/mail.h"
#include "mccl/core/log.h"

namespace musashim::mccl {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kConnectWithin = std::chrono::seconds(60);  // the other side may come late to its call

}  // namespace

mcclResult_t Link::begin(void* data, size_t bytes, int tag, bool& taken) {
  taken = comm_ != nullptr;
  if (!taken) return mcclSuccess;
  ++begun_;
  waiting_.push_back({static_cast<char*>(data), bytes, tag});
  return postAll();
}

mcclResult_t Link::postAll() {
  while (!waiting_.empty() && parts_.size() < kParts) {
    Waiting& first = waiting_.front();
    Part part;
    part.data = first.data;
    part.bytes = std::min(first.bytes, kPartBytes);
    if (net_.needsRegistration()) part.staged = free_.back();
    part.isLast = part.bytes == first.bytes;
    if (const mcclResult_t result = post(part, first.tag, memory_); result != mcclSuccess) return result;
    if (!part.request) return mcclSuccess;
    if (part.staged) free_.pop_back();
    parts_.push_back(part);
    first.data += part.bytes;
    first.bytes -= part.bytes;
    if (part.isLast) waiting_.pop_front();
  }
  return mcclSuccess;
}

mcclResult_t Link::poll() {
  if (!comm_) {
    MCCL_RETURN_IF_ERROR(connect());
    if (!comm_) return isLate();
    MCCL_RETURN_IF_ERROR(prepareStaging());
    report();
  }
  while (!parts_.empty()) {
    Part& part = parts_.front();
    bool done = false;
    size_t bytes = 0;
    MCCL_RETURN_IF_ERROR(net_.test(part.request, done, bytes));
    if (!done) break;
    finish(part, bytes);
    if (bytes != part.bytes && receives()) {
      return fail(mcclInvalidUsage, "mismatched transfer: a message of {} bytes came where {} were expected",
                  bytes, part.bytes);
    }
    if (part.staged) free_.push_back(part.staged);
    if (part.isLast) ++completed_;
    ++completedParts_;
    parts_.pop_front();
    MCCL_RETURN_IF_ERROR(postAll());
  }
  return mcclSuccess;
}

// In NCCL's words.
void Link::report() const {
  logInfo(kInit, "Channel {:02}/{} : {}[{}] -> {}[{}] [{}] via NET/{}/{}", route_.channel,
          name_.purpose == LinkPurpose::kMessages ? 1 : 0, route_.from, info(route_.from).device, route_.to,
          info(route_.to).device, receives() ? "receive" : "send", net_.name(), route_.device);
}

mcclResult_t Link::isLate() {
  if (since_ == Clock::time_point{}) since_ = Clock::now();
  if (Clock::now() - since_ < kConnectWithin) return mcclSuccess;
  return fail(mcclRemoteError, "NET/{} : no connection with {} within {} s: it has not come to its call",
              net_.name(), info(peer_).describe(peer_), kConnectWithin.count());
}

mcclResult_t Link::prepareStaging() {
  if (!net_.needsRegistration()) return mcclSuccess;
  void* memory =
      mmap(nullptr, kParts * kPartBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return fail(mcclSystemError, "no memory for a connection: {}", std::strerror(errno));
  staging_ = static_cast<std::byte*>(memory);
  MCCL_RETURN_IF_ERROR(net_.regMr(comm_, staging_, kParts * kPartBytes, memory_));
  for (size_t i = kParts; i-- > 0;) free_.push_back(staging_ + i * kPartBytes);
  return mcclSuccess;
}

OutLink::~OutLink() {
  if (memory_) (void)net_.deregMr(comm_, memory_);
  if (comm_) net_.closeSend(comm_);
  if (staging_) munmap(staging_, kParts * kPartBytes);
}

mcclResult_t OutLink::connect() {
  std::vector<char> text;
  if (!isTold_) {
    if (!Mail::take(roster_, peer_, own_, MailKind::kHandle, mailNumber(), text)) return mcclSuccess;
    if (text.size() != sizeof handle_) return fail(mcclInternalError, "a handle of {} bytes", text.size());
    std::memcpy(&handle_, text.data(), sizeof handle_);
    isTold_ = true;
  }
  return net_.connect(route_.device, handle_, comm_);
}

mcclResult_t OutLink::post(Part& part, int tag, void* memory) {
  const void* data = part.data;
  if (part.staged) data = std::memcpy(part.staged, part.data, part.bytes);
  return net_.isend(comm_, data, part.bytes, tag, memory, part.request);
}

void OutLink::finish(Part&, size_t) {}

InLink::~InLink() {
  if (memory_) (void)net_.deregMr(comm_, memory_);
  if (comm_) net_.closeRecv(comm_);
  if (listening_) net_.closeListen(listening_);
  if (staging_) munmap(staging_, kParts * kPartBytes);
}

mcclResult_t InLink::connect() {
  if (!listening_) {
    NetHandle handle;
    MCCL_RETURN_IF_ERROR(net_.listen(route_.device, handle, listening_));
    const std::span<const char> text(handle.bytes, sizeof handle.bytes);
    if (!Mail::post(roster_, own_, peer_, MailKind::kHandle, mailNumber(), text)) {
      return fail(mcclRemoteError, "Bootstrap : {} does not answer at {}: {}", info(peer_).describe(peer_),
                  info(peer_).address.text(), std::strerror(errno));
    }
  }
  MCCL_RETURN_IF_ERROR(net_.accept(listening_, comm_));
  if (!comm_) return mcclSuccess;
  net_.closeListen(listening_);
  listening_ = nullptr;
  return mcclSuccess;
}

mcclResult_t InLink::post(Part& part, int tag, void* memory) {
  void* const data = part.staged ? static_cast<void*>(part.staged) : part.data;
  return net_.irecv(comm_, data, part.bytes, tag, memory, part.request);
}

void InLink::finish(Part& part, size_t bytes) {
  if (part.staged) std::memcpy(part.data, part.staged, std::min(bytes, part.bytes));
}

}  // namespace musashim::mccl
