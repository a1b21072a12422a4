#include "mtshmem/remote/remote.h"

#include <sched.h>
#include <signal.h>

#include <chrono>
#include <cstring>
#include <stdexcept>
#include <string>

#include "libs/core/memory_access.h"
#include "mtshmem/host/runtime.h"
#include "mtshmem/remote/words.h"

namespace musashim::mtshmem {
namespace {

constexpr int kLooksBeforeSleep = 200;
constexpr int kSleepsBeforeLong = 100;
constexpr auto kShortSleep = std::chrono::microseconds(50);
constexpr auto kLongSleep = std::chrono::microseconds(1000);
constexpr auto kGoodbyeWithin = std::chrono::seconds(5);

uint32_t stateOf(const mtshmemi_request_t& request) {
  return __atomic_load_n(&request.state, __ATOMIC_ACQUIRE);
}

void setDone(mtshmemi_request_t& request) {
  __atomic_store_n(&request.state, static_cast<uint32_t>(MTSHMEMI_DONE), __ATOMIC_RELEASE);
}

void waitFor(const mtshmemi_request_t& request) {
  for (int turns = 0; stateOf(request) != MTSHMEMI_DONE; ++turns) {
    if (turns > 50) sched_yield();
  }
}

}  // namespace

Remote::Remote(mccl::Net& net, std::vector<std::unique_ptr<Connection>> connections, char* heap,
               size_t heapBytes, bool kernelsPost)
    : net_(net),
      connections_(std::move(connections)),
      heap_(heap),
      heapBytes_(heapBytes),
      kernelsPost_(kernelsPost) {
  for (const auto& connection : connections_) {
    if (connection) comms_.push_back(connection->recvComm());
  }
  // The program's signals stay with its own threads.
  sigset_t all, before;
  sigfillset(&all);
  for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) sigdelset(&all, fault);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  agent_ = std::thread([this] { run(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Remote::~Remote() {
  isOver_.store(true);
  agent_.join();
}

void Remote::post(mtshmemi_request_t& request, Way way) {
  posted_[static_cast<size_t>(way)].fetch_add(1, std::memory_order_relaxed);
  // The host's quiet is also one of kernels that have ended.
  if (request.operation == MTSHMEMI_FLUSH && way == Way::kHost) ring_.waitUntilTaken([] { sched_yield(); });
  request.left = Post::answers(request, pes(), connectionOf());
  const bool isAnswered = request.left > 0;
  Post post(request);
  for (int turns = 0; !post.moveOn(pes(), connectionOf()); ++turns) {
    if (turns % 16 == 15) sched_yield();
  }
  if (isAnswered) waitFor(request);
}

void Remote::ask(mtshmemi_request_t& request) {
  if (kernelsPost_) return post(request, Way::kKernel);
  const uint64_t turn = ring_.begin([] { sched_yield(); });
  mtshmemi_request_t& entry = ring_.request(turn);
  entry = request;
  const bool isWaitedFor = entry.isWaitedFor != 0;
  ring_.fill(turn);
  if (!isWaitedFor) return;
  waitFor(entry);
  request.result = entry.result;
  ring_.giveBack(turn);
}

void Remote::run() {
  const libs::MemoryAccess access;
  try {
    std::chrono::steady_clock::time_point end{};
    for (;;) {
      bool moved = lookAtRing();
      bool allOver = true;
      for (const auto& connection : connections_) {
        if (!connection) continue;
        moved |= connection->listen(
            [&](const Message& message, const char* data) { hear(*connection, message, data); });
        moved |= connection->moveOn();
        allOver &= connection->isOver();
      }
      idle_ = moved ? 0 : idle_ + 1;
      if (isOver_.load()) {
        if (end == std::chrono::steady_clock::time_point{}) {
          end = std::chrono::steady_clock::now() + kGoodbyeWithin;
          Message bye;
          bye.kind = Kind::kBye;
          for (const auto& connection : connections_) {
            if (connection) connection->sayLater(bye, nullptr);
          }
        } else if ((allOver && !moved) || std::chrono::steady_clock::now() > end) {
          return;
        }
      }
      if (idle_ > kLooksBeforeSleep) {
        sleep();
      } else if (idle_ > 0 && idle_ % 8 == 0) {
        sched_yield();
      }
    }
  } catch (const std::exception& error) {
    if (!isOver_.load()) giveUp("to other hosts", error.what());
  }
}

// Kernels do not wake anybody: the ring is looked at between short sleeps.
void Remote::sleep() {
  const bool isLong = idle_ > kLooksBeforeSleep + kSleepsBeforeLong;
  net_.await(comms_, isLong ? kLongSleep : kShortSleep);
}

bool Remote::lookAtRing() {
  bool moved = false;
  while (ring_.hasNext()) {
    const uint64_t turn = ring_.next();
    mtshmemi_request_t& request = ring_.request(turn);
    if (!next_) {
      posted_[static_cast<size_t>(Way::kProxy)].fetch_add(1, std::memory_order_relaxed);
      request.left = Post::answers(request, pes(), connectionOf());
      next_.emplace(request);
    }
    // Once it is said, an answer may come, and who waits may give the entry back, at any time.
    const bool isWaitedFor = request.isWaitedFor != 0;
    const bool isAnswered = Post::answers(request, pes(), connectionOf()) > 0;
    if (!next_->moveOn(pes(), connectionOf())) break;
    next_.reset();
    moved = true;
    if (isWaitedFor && !isAnswered) setDone(request);
    if (!isWaitedFor) ring_.giveBack(turn);
    ring_.take();
  }
  return moved;
}

void Remote::hear(Connection& from, const Message& message, const char* data) {
  if (message.kind == Kind::kGetAnswer || message.kind == Kind::kWordAnswer) return answered(message, data);
  Message answer;
  answer.request = message.request;
  if (message.kind == Kind::kFlush) {
    answer.kind = Kind::kWordAnswer;
    return from.sayLater(answer, nullptr);
  }
  const uint64_t bytes = message.kind == Kind::kAtomic ? message.width : message.bytes;
  if (message.offset > heapBytes_ || bytes > heapBytes_ - message.offset)
    throw std::runtime_error("another PE asked for " + std::to_string(bytes) + " bytes at " +
                             std::to_string(message.offset) + ", which are not in the symmetric heap");
  char* const place = heap_ + message.offset;
  switch (message.kind) {
    case Kind::kPut:
      writeWords(place, data, message.bytes);
      break;
    case Kind::kGet:
      answer.kind = Kind::kGetAnswer;
      answer.bytes = message.bytes;
      answer.operand = message.operand;
      from.sayLater(answer, place);
      break;
    default:
      answer.operand = atomicWord(place, message.width, message.operation, message.operand, message.compare);
      if (message.isAnswered == 0) break;
      answer.kind = Kind::kWordAnswer;
      from.sayLater(answer, nullptr);
  }
}

void Remote::answered(const Message& message, const char* data) {
  auto& request = *reinterpret_cast<mtshmemi_request_t*>(message.request);
  if (message.kind == Kind::kGetAnswer) {
    char* const to = request.local != nullptr ? static_cast<char*>(request.local)
                                              : reinterpret_cast<char*>(&request.result);
    writeWords(to + message.operand, data, message.bytes);
  } else if (request.operation != MTSHMEMI_FLUSH) {
    request.result = message.operand;
  }
  if (__atomic_sub_fetch(&request.left, 1, __ATOMIC_ACQ_REL) == 0) setDone(request);
}

}  // namespace musashim::mtshmem
