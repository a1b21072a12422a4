// Short messages between the ranks of a communicator, whatever their hosts: for what has to be told before
// connections exist, or when they have failed. Each comes by a connection of its own to the process of the
// rank, which shows the communicator's secret.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "mccl/bootstrap/socket.h"
#include "mccl/comm/roster.h"

namespace musashim::mccl {

inline constexpr char kMailMagic[8] = {'M', 'C', 'C', 'L', 'M', 'L', '0', '2'};
inline constexpr uint32_t kMostMail = 64 << 10;  // bytes

// What a message is about; the low bytes number messages of one kind.
enum class MailKind : uint32_t {
  kMemory = 1,      // where the memory of the host's ranks is to be fetched
  kHandle = 2,      // of a NetHandle
  kFailure = 3,     // why the communicator has failed
  kInvitation = 4,  // the unique id of a new communicator
  kAlive = 5,       // nothing: whoever gets it lives
  kLeaving = 6,     // the host does
  kCall = 7,        // what a rank is in, for one that is in another call
  kChannels = 8,    // of a host, and what all have agreed on
};

struct MailHeader {
  char magic[8] = {};
  std::array<uint64_t, 2> communicator{};
  std::array<uint64_t, 2> secret{};
  int32_t from = 0, to = 0;  // ranks
  uint32_t kind = 0;
  uint32_t bytes = 0;  // that follow
  uint64_t number = 0;
};

class Mail {
 public:
  // False, with errno, when it could not be sent.
  static bool post(const Roster& roster, int from, int to, MailKind kind, uint64_t number,
                   std::span<const char> text, std::chrono::milliseconds most = std::chrono::seconds(5));

  // Takes what has come; false when nothing has.
  static bool take(const Roster& roster, int from, int to, MailKind kind, uint64_t number,
                   std::vector<char>& text);
  // Of whatever rank, which `from` tells, if it is wanted.
  static bool takeAny(const Roster& roster, int to, MailKind kind, std::vector<char>& text,
                      int* from = nullptr);
  // Waits for it. False when `keepWaiting` says no.
  static bool await(const Roster& roster, int from, int to, MailKind kind, uint64_t number,
                    std::vector<char>& text, const KeepWaiting& keepWaiting);

  // By the listener. What nobody takes is dropped when much more has come.
  static void deliver(const MailHeader& header, std::vector<char> text);
};

}  // namespace musashim::mccl
