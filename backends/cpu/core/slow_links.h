// Links between devices that carry less than this machine's memory does, as a machine's description asks for.
#pragma once

#include <cstddef>
#include <vector>

#include "interface/command.h"

namespace musashim::backend::cpu {

class SlowLinks {
 public:
  struct Memory {
    const std::byte* base;
    size_t bytes;
  };
  // `devices`: their memory, in the order of their numbers.
  explicit SlowLinks(std::vector<Memory> devices) : devices_(std::move(devices)) {}
  void add(size_t a, size_t b, double gigabytesPerSecond) { links_.push_back({a, b, gigabytesPerSecond}); }

  // Copies; returns no earlier than the link could have carried it.
  void run(const Copy& copy) const;

 private:
  struct Link {
    size_t a, b;
    double gigabytesPerSecond;
  };

  size_t deviceOf(const void* address) const;  // devices_.size() where it is none's

  const std::vector<Memory> devices_;
  std::vector<Link> links_;
};

}  // namespace musashim::backend::cpu
