#include "mccl/net/socket_lanes.h"

#include <poll.h>
#include <signal.h>
#include <sys/socket.h>

#include <cerrno>

namespace musashim::mccl {

SocketLanes::SocketLanes(const std::vector<Fd>& sockets, bool sends, size_t threads)
    : sockets_(sockets), sends_(sends) {
  if (threads == 0) return;
  // The user's signals stay with the user's threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  for (size_t i = 0; i < threads; ++i) threads_.emplace_back([this, i, threads] { run(i, threads); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

SocketLanes::~SocketLanes() {
  {
    std::lock_guard lock(mutex_);
    isOver_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void SocketLanes::begin(LaneWork& work, char* data, size_t bytes) {
  std::lock_guard lock(mutex_);
  const size_t lanes = sockets_.size();
  work.parts.resize(lanes);
  work.left = 0;
  for (size_t i = 0; i < lanes; ++i) {
    const size_t begin = bytes * i / lanes, end = bytes * (i + 1) / lanes;
    work.parts[i] = {data + begin, end - begin, 0};
    if (end > begin) ++work.left;
  }
  current_ = &work;
  ++works_;
  changed_.notify_all();
}

bool SocketLanes::advance(LaneWork& work) {
  std::lock_guard lock(mutex_);
  if (threads_.empty()) {
    for (size_t lane = 0; lane < work.parts.size(); ++lane) {
      LaneWork::Part& part = work.parts[lane];
      if (part.moved == part.bytes) continue;
      if (move(lane, part, work.error)) --work.left;
    }
    if (work.error != 0) work.left = 0;
  }
  return work.left == 0;
}

bool SocketLanes::move(size_t lane, LaneWork::Part& part, int& error) const {
  while (part.moved < part.bytes) {
    char* const at = part.data + part.moved;
    const size_t left = part.bytes - part.moved;
    const ssize_t moved = sends_ ? send(sockets_[lane].get(), at, left, MSG_DONTWAIT | MSG_NOSIGNAL)
                                 : recv(sockets_[lane].get(), at, left, MSG_DONTWAIT);
    if (moved < 0 && errno == EINTR) continue;
    if (moved < 0 && errno == EAGAIN) return false;
    if (moved <= 0) {
      error = moved == 0 ? EPIPE : errno;
      return false;
    }
    part.moved += static_cast<size_t>(moved);
  }
  return true;
}

// Each thread has every threads-th socket. Without the lock while it moves data; a part counts as left until
// its thread no longer touches its memory, also when it fails.
void SocketLanes::run(size_t thread, size_t threads) {
  std::unique_lock lock(mutex_);
  for (uint64_t seen = 0;; seen = works_) {
    changed_.wait(lock, [&] { return isOver_ || works_ != seen; });
    if (isOver_) return;
    LaneWork& work = *current_;
    for (size_t lane = thread; lane < sockets_.size(); lane += threads) {
      LaneWork::Part part = work.parts[lane];
      if (part.bytes == 0) continue;
      int error = work.error;
      lock.unlock();
      while (error == 0 && !move(lane, part, error)) {
        pollfd ready{sockets_[lane].get(), static_cast<short>(sends_ ? POLLOUT : POLLIN), 0};
        if (error == 0) (void)poll(&ready, 1, 100);
        std::lock_guard look(mutex_);
        if (isOver_) error = ECANCELED;
      }
      lock.lock();
      if (error != 0 && work.error == 0) work.error = error;
      work.parts[lane] = part;
      --work.left;
    }
  }
}

}  // namespace musashim::mccl
