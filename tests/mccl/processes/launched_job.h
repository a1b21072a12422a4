// A job of several processes that run RANK_PROGRAM, and end with the test.
#pragma once

#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

extern char** environ;

namespace musashim::mccl {

class Job {
 public:
  Job() {
    char folder[] = "/tmp/mccl_job_XXXXXX";
    folder_ = mkdtemp(folder);
  }
  ~Job() {
    for (pid_t child : children_) kill(child, SIGKILL);
    for (pid_t child : children_) waitpid(child, nullptr, 0);
    std::filesystem::remove_all(folder_);
  }
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  std::string idFile() const { return folder_ + "/id"; }

  void start(const std::string& scenario, int first, int count, int ranks,
             const std::vector<std::string>& environment = {}) {
    std::vector<std::string> arguments{RANK_PROGRAM,          scenario,
                                       std::to_string(first), std::to_string(count),
                                       std::to_string(ranks), idFile()};
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    std::vector<char*> envp;
    for (const std::string& variable : environment) envp.push_back(const_cast<char*>(variable.c_str()));
    for (char** variable = environ; *variable; ++variable) envp.push_back(*variable);
    envp.push_back(nullptr);
    pid_t child = 0;
    ASSERT_EQ(posix_spawn(&child, RANK_PROGRAM, nullptr, nullptr, argv.data(), envp.data()), 0);
    children_.push_back(child);
  }

  // `perProcess` ranks in each of ranks / perProcess processes.
  void startAll(const std::string& scenario, int ranks, int perProcess,
                const std::vector<std::string>& environment = {}) {
    for (int first = 0; first < ranks; first += perProcess)
      start(scenario, first, perProcess, ranks, environment);
  }

  // The exit status of child `index`, or minus the signal; kills it after `seconds`.
  int finish(size_t index, int seconds) {
    const pid_t child = children_[index];
    pollfd ended{static_cast<int>(syscall(SYS_pidfd_open, child, 0)), POLLIN, 0};
    if (poll(&ended, 1, seconds * 1000) <= 0) kill(child, SIGKILL);
    close(ended.fd);
    int status = 0;
    waitpid(child, &status, 0);
    children_[index] = -1;
    std::erase(children_, -1);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

  void expectAllGood(int seconds = 60) {
    while (!children_.empty()) EXPECT_EQ(finish(0, seconds), 0);
  }
  size_t running() const { return children_.size(); }
  pid_t process(size_t index) const { return children_[index]; }

 private:
  std::string folder_;
  std::vector<pid_t> children_;
};

}  // namespace musashim::mccl
