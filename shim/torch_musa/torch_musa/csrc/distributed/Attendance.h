// Who has come to which call of a scope, a group or two of its ranks, as the store knows: for messages that
// name the missing.
#pragma once

#include <atomic>
#include <chrono>
#include <string>
#include <torch/csrc/distributed/c10d/Store.hpp>
#include <vector>

namespace torch_musa {

class Attendance {
 public:
  // `ranks` are those that take part, `self` is the caller's; `name` tells scopes of a store apart.
  Attendance(c10::intrusive_ptr<c10d::Store> store, std::string name, std::vector<int> ranks, int self);

  const std::string& name() const { return name_; }
  int size() const { return static_cast<int>(ranks_.size()); }
  // A rank's place among them.
  int place(int rank) const;
  int place() const { return place(self_); }
  // Of the scope's next call, from 1 on.
  uint64_t next() { return ++number_; }
  uint64_t last() const { return number_; }
  // The caller has come to its call of that number.
  void come(uint64_t number) noexcept { tell("at", number); }
  // Who is to blame that the call failed, as "1, 3". Those that are only slow have `grace` to come.
  std::string missing(uint64_t number, std::chrono::milliseconds grace);

 private:
  std::string key(const char* what, int rank) const;
  void tell(const char* what, uint64_t number) noexcept;
  std::vector<int> below(const char* what, uint64_t number, std::chrono::milliseconds grace) const;

  c10::intrusive_ptr<c10d::Store> store_;
  std::string name_;
  std::vector<int> ranks_;
  int self_;
  std::atomic<uint64_t> number_{0};
};

}  // namespace torch_musa
