// Where the PEs of a job on several hosts meet: a TCP port, at which one thread takes what each gives and
// hands all of it to all. In the process of a PE, or of the launcher.
#pragma once

#include <memory>
#include <string>
#include <thread>

#include "mccl/bootstrap/socket.h"

namespace musashim::mtshmem {

// What PEs and the meeting say to each other: a number of bytes, and these; or one of these numbers.
struct MeetingWords {
  static constexpr uint32_t kLeaves = 0xfffffffe;
  static constexpr uint32_t kOneIsMissing = 0xffffffff;  // then its number
};

struct MeetingHello {
  char secret[32] = {};
  int32_t me = 0;
  int32_t size = 0;
};

class Meeting {
 public:
  // Listens at the interface that MCCL_SOCKET_IFNAME chooses. Throws std::runtime_error.
  Meeting();
  // Waits for the PEs to leave, for a while.
  ~Meeting();
  Meeting(const Meeting&) = delete;
  Meeting& operator=(const Meeting&) = delete;

  // One that lives as long as the process, or until closeAll(); its place.
  static std::string open();
  // Waits for the PEs of those that were begun.
  static void closeAll();

  // "10.0.0.1:7000/SECRET"
  const std::string& place() const { return place_; }

 private:
  struct State;
  std::string place_;
  std::shared_ptr<State> state_;
};

// Divides a place into its address and its secret; false if it is none.
bool parseMeetingPlace(const std::string& place, mccl::SocketAddress& address, MeetingHello& hello);

}  // namespace musashim::mtshmem
