#include "mccl/bootstrap/mail.h"

#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <list>
#include <mutex>
#include <thread>

namespace musashim::mccl {
namespace {

constexpr size_t kMostKept = 8192;

struct Letter {
  MailHeader header;
  std::vector<char> text;
};

struct Box {
  std::mutex mutex;
  std::condition_variable came;
  std::list<Letter> letters;
};

Box& box() {
  static Box* const kBox = new Box;
  return *kBox;
}

MailHeader headerOf(const Roster& roster, int from, int to, MailKind kind, uint64_t number) {
  MailHeader header;
  std::memcpy(header.magic, kMailMagic, sizeof header.magic);
  header.communicator = roster.communicator;
  header.secret = roster.secret;
  header.from = from;
  header.to = to;
  header.kind = static_cast<uint32_t>(kind);
  header.number = number;
  return header;
}

// With the lock. A `from` of -1 stands for any, of whatever number.
bool takeLocked(const MailHeader& wanted, std::vector<char>& text, int* from = nullptr) {
  std::list<Letter>& letters = box().letters;
  for (auto letter = letters.begin(); letter != letters.end(); ++letter) {
    const MailHeader& header = letter->header;
    const bool isMine = header.communicator == wanted.communicator && header.secret == wanted.secret &&
                        header.to == wanted.to && header.kind == wanted.kind;
    const bool isFrom = wanted.from < 0 || (header.from == wanted.from && header.number == wanted.number);
    if (!isMine || !isFrom) continue;
    text = std::move(letter->text);
    if (from) *from = header.from;
    letters.erase(letter);
    return true;
  }
  return false;
}

bool takeWanted(const MailHeader& wanted, std::vector<char>& text) {
  std::lock_guard lock(box().mutex);
  return takeLocked(wanted, text);
}

}  // namespace

bool Mail::post(const Roster& roster, int from, int to, MailKind kind, uint64_t number,
                std::span<const char> text, std::chrono::milliseconds most) {
  MailHeader header = headerOf(roster, from, to, kind, number);
  header.bytes = static_cast<uint32_t>(text.size());
  const RankInfo& target = roster.ranks[static_cast<size_t>(to)];
  if (target.process == processToken()) {
    deliver(header, {text.begin(), text.end()});
    return true;
  }
  // Many may write at the same time: the connection may find no place the first time.
  const auto end = std::chrono::steady_clock::now() + most;
  while (true) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    const Fd socket = connectTcp(target.address, std::max(left, std::chrono::milliseconds(1)));
    if (socket)
      return sendAll(socket.get(), &header, sizeof header) && sendAll(socket.get(), text.data(), text.size());
    const bool mayComeLater = errno == EAGAIN || errno == EADDRNOTAVAIL;
    if (!mayComeLater || std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

bool Mail::take(const Roster& roster, int from, int to, MailKind kind, uint64_t number,
                std::vector<char>& text) {
  return takeWanted(headerOf(roster, from, to, kind, number), text);
}

bool Mail::takeAny(const Roster& roster, int to, MailKind kind, std::vector<char>& text, int* from) {
  std::lock_guard lock(box().mutex);
  return takeLocked(headerOf(roster, -1, to, kind, 0), text, from);
}

bool Mail::await(const Roster& roster, int from, int to, MailKind kind, uint64_t number,
                 std::vector<char>& text, const KeepWaiting& keepWaiting) {
  const MailHeader wanted = headerOf(roster, from, to, kind, number);
  std::unique_lock lock(box().mutex);
  while (!takeLocked(wanted, text)) {
    (void)box().came.wait_for(lock, std::chrono::milliseconds(20));
    lock.unlock();
    const bool goesOn = keepWaiting();
    lock.lock();
    if (!goesOn) return takeLocked(wanted, text);
  }
  return true;
}

void Mail::deliver(const MailHeader& header, std::vector<char> text) {
  if (header.kind == static_cast<uint32_t>(MailKind::kAlive)) return;
  {
    std::lock_guard lock(box().mutex);
    if (box().letters.size() >= kMostKept) box().letters.pop_front();
    box().letters.push_back({header, std::move(text)});
  }
  box().came.notify_all();
}

}  // namespace musashim::mccl
