#include "mccl/net/socket_stream.h"

#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "mccl/core/log.h"

namespace musashim::mccl {
namespace {

// What is left of the header, then of the data.
size_t layOut(SocketRequest& request, size_t dataBytes, iovec (&parts)[2]) {
  size_t count = 0;
  const size_t head = std::min(request.moved, sizeof request.header);
  if (head < sizeof request.header) {
    parts[count++] = {reinterpret_cast<char*>(&request.header) + head, sizeof request.header - head};
  }
  const size_t done = request.moved - head;
  if (done < dataBytes) parts[count++] = {request.data + done, dataBytes - done};
  return count;
}

}  // namespace

SocketStream::SocketStream(std::vector<Fd> sockets, bool sends, size_t threads, std::string peer)
    : sockets_(std::move(sockets)), sends_(sends), peer_(std::move(peer)), lanes_(sockets_, sends, threads) {}

SocketRequest* SocketStream::begin(void* data, size_t bytes, int tag) {
  auto request = std::make_unique<SocketRequest>();
  request->stream = this;
  request->data = static_cast<char*>(data);
  request->bytes = bytes;
  request->tag = static_cast<uint32_t>(tag);
  request->header = {request->tag, 0, bytes};
  return queue_.emplace_back(std::move(request)).get();
}

mcclResult_t SocketStream::progress() {
  while (!queue_.empty()) {
    SocketRequest& first = *queue_.front();
    if (const mcclResult_t result = advance(first); result != mcclSuccess) return result;
    if (!first.isDone) return mcclSuccess;
    (void)queue_.front().release();  // test() frees it
    queue_.pop_front();
  }
  return mcclSuccess;
}

mcclResult_t SocketStream::advance(SocketRequest& request) {
  if (sends_) return send(request);
  return receive(request);
}

mcclResult_t SocketStream::send(SocketRequest& request) {
  const bool isShared = this->isShared(request.bytes);
  const size_t direct = isShared ? 0 : request.bytes;
  while (request.moved < sizeof request.header + direct) {
    iovec parts[2];
    msghdr message{};
    message.msg_iov = parts;
    message.msg_iovlen = layOut(request, direct, parts);
    const ssize_t sent = sendmsg(sockets_[0].get(), &message, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && errno == EAGAIN) return mcclSuccess;
    if (sent < 0) return failed("send to", errno);
    request.moved += static_cast<size_t>(sent);
  }
  if (isShared) {
    if (request.lanes.parts.empty()) lanes_.begin(request.lanes, request.data, request.bytes);
    if (!lanes_.advance(request.lanes)) return mcclSuccess;
    if (request.lanes.error != 0) return failed("send to", request.lanes.error);
  }
  request.isDone = true;
  return mcclSuccess;
}

// With one socket, header and data are read at one go: mostly the message is as long as there is room. What
// is read beyond its end is kept for the next.
mcclResult_t SocketStream::receive(SocketRequest& request) {
  const size_t room = sockets_.size() > 1 ? 0 : request.bytes;
  request.moved += fromStash(request);
  const auto isComplete = [&] {
    if (request.moved < sizeof request.header) return false;
    if (isShared(request.header.bytes)) return true;
    return request.moved >= sizeof request.header + request.header.bytes;
  };
  while (!isComplete()) {
    iovec parts[2];
    msghdr message{};
    message.msg_iov = parts;
    const bool hasHeader = request.moved >= sizeof request.header;
    if (hasHeader && request.header.bytes > request.bytes) return check(request);
    message.msg_iovlen = layOut(request, hasHeader ? request.header.bytes : room, parts);
    const ssize_t got = recvmsg(sockets_[0].get(), &message, MSG_DONTWAIT);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return mcclSuccess;
    if (got <= 0) return failed("receive from", got == 0 ? EPIPE : errno);
    request.moved += static_cast<size_t>(got);
  }
  if (const mcclResult_t result = check(request); result != mcclSuccess) return result;
  if (isShared(request.header.bytes)) {
    if (request.lanes.parts.empty()) lanes_.begin(request.lanes, request.data, request.header.bytes);
    if (!lanes_.advance(request.lanes)) return mcclSuccess;
    if (request.lanes.error != 0) return failed("receive from", request.lanes.error);
  } else if (const size_t end = sizeof request.header + request.header.bytes; request.moved > end) {
    const char* surplus = request.data + request.header.bytes;
    stash_.insert(stash_.begin(), surplus, surplus + (request.moved - end));
  }
  request.bytes = request.header.bytes;
  request.isDone = true;
  return mcclSuccess;
}

size_t SocketStream::fromStash(SocketRequest& request) {
  size_t taken = 0;
  while (!stash_.empty()) {
    const bool hasHeader = request.moved + taken >= sizeof request.header;
    const size_t end =
        sizeof request.header + (hasHeader ? std::min(request.header.bytes, request.bytes) : 0);
    const size_t at = request.moved + taken;
    const size_t bytes = std::min(stash_.size(), end - std::min(end, at));
    if (bytes == 0) break;
    char* const to = hasHeader ? request.data + (at - sizeof request.header)
                               : reinterpret_cast<char*>(&request.header) + at;
    std::memcpy(to, stash_.data(), bytes);
    stash_.erase(stash_.begin(), stash_.begin() + static_cast<ptrdiff_t>(bytes));
    taken += bytes;
  }
  return taken;
}

// The room is known from begin(); the header tells what has come.
mcclResult_t SocketStream::check(SocketRequest& request) {
  if (request.header.tag != request.tag) {
    return fail(mcclInvalidUsage, "NET/Socket : {} is in another call, with tag {:#x} and not {:#x}", peer_,
                request.header.tag, request.tag);
  }
  if (request.header.bytes <= request.bytes) return mcclSuccess;
  return fail(mcclInvalidUsage, "NET/Socket : {} sends a message of {} bytes, and {} are expected", peer_,
              request.header.bytes, request.bytes);
}

mcclResult_t SocketStream::failed(const char* what, int error) const {
  return fail(mcclRemoteError, "NET/Socket : cannot {} {}: {}", what, peer_,
              error == EPIPE ? "it has closed the connection" : std::strerror(error));
}

void SocketStream::addTo(std::vector<pollfd>& polls) const {
  if (queue_.empty()) return;
  const auto events = static_cast<short>(sends_ ? POLLOUT : POLLIN);
  const SocketRequest& first = *queue_.front();
  if (first.lanes.parts.empty()) {
    polls.push_back({sockets_[0].get(), events, 0});
    return;
  }
  for (size_t lane = 0; lane < sockets_.size(); ++lane) {
    const LaneWork::Part& part = first.lanes.parts[lane];
    if (part.moved < part.bytes) polls.push_back({sockets_[lane].get(), events, 0});
  }
}

}  // namespace musashim::mccl
