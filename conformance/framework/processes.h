// Cases of several processes: the program starts itself again in a role. All talk goes
// over one connection; only the first process observes.
#pragma once

#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "observe.h"

class Connection {
 public:
  explicit Connection(int fd) : fd_(fd) {}

  template <class T>
  void send(const T& value) {
    if (::send(fd_, &value, sizeof value, MSG_NOSIGNAL) != static_cast<ssize_t>(sizeof value)) fail("send");
  }
  template <class T>
  T receive() {
    T value{};
    if (::recv(fd_, &value, sizeof value, MSG_WAITALL) != static_cast<ssize_t>(sizeof value)) fail("receive");
    return value;
  }

 protected:
  static void fail(const char* what) {
    fprintf(stderr, "setup failed: %s: the other process has ended\n", what);
    fflush(stdout);
    _Exit(3);
  }
  int fd_;
};

class Child : public Connection {
 public:
  explicit Child(const std::string& role) : Connection(-1) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) fail("socketpair");
    fd_ = ends[0];
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], kChild);
    std::string argument = role;
    char program[] = "/proc/self/exe";
    char* arguments[] = {program, &argument[0], nullptr};
    if (posix_spawn(&process_, program, &actions, nullptr, arguments, environ) != 0) fail("posix_spawn");
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
  }
  int join() {
    int status = -1;
    waitpid(process_, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  void kill() {
    ::kill(process_, SIGKILL);
    join();
  }

  static constexpr int kChild = 200;  // the child's end

 private:
  pid_t process_ = -1;
};

inline Connection parentProcess() { return Connection(Child::kChild); }
