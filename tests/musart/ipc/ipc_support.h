// Several processes: this program started again in other roles, with a socket between.
#pragma once

#include <sys/types.h>

#include <string>

#include "../support.h"

namespace musashim::test {

// One end of a connection. What is sent is received whole and in order.
class Channel {
 public:
  explicit Channel(int fd) : fd_(fd) {}

  template <class T>
  void send(const T& value) {
    sendBytes(&value, sizeof value);
  }
  // A zero value when the other process has ended.
  template <class T>
  T receive() {
    T value{};
    (void)receiveBytes(&value, sizeof value);
    return value;
  }
  bool receiveBytes(void* data, size_t bytes);

 protected:
  void sendBytes(const void* data, size_t bytes);
  int fd_;
};

// A child process in a role (ipc_roles.cpp); killed at the end if it still runs.
class Peer : public Channel {
 public:
  explicit Peer(const std::string& role);
  ~Peer();
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  void kill();  // -9, and waits for its end
  int join();   // its exit status
  pid_t process() const { return process_; }

 private:
  pid_t process_ = -1;
};

// What roles are told first.
struct OwnerOrder {
  int device;
  size_t bytes;
  size_t before;  // bytes allocated first, so that the memory is not at a page's start
};

struct AdderOrder {
  musaIpcMemHandle_t memory;
  musaIpcEventHandle_t event;
  int device;
  int count;
};

struct HoarderOrder {
  int device;
  size_t leave;  // of the free memory
};

// What the child does; its exit status. A role that fails prints why.
int runRole(const std::string& role, Channel& parent);

// Fails the role when a call does.
#define ROLE_MUSA(call)                                                                        \
  do {                                                                                         \
    if (musaError_t error_ = (call); error_ != musaSuccess) {                                  \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, musaGetErrorName(error_)); \
      return 1;                                                                                \
    }                                                                                          \
  } while (false)

}  // namespace musashim::test
