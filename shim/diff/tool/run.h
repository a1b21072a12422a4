// A recorded run, as record/run_folder.h describes its folder.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "diff/record/sketch.h"

namespace musashim::diff {

using record::BlockSketch;
using record::Type;

struct Allocation {
  size_t bytes = 0;
  std::string kind, name;
};

// A word of bytes that points into an allocation.
struct Pointer {
  size_t at = 0;
  int allocation = 0;
  size_t offset = 0;
};

struct Argument {
  size_t offset = 0;
  std::string bytes;
  std::vector<Pointer> pointers;
};

struct Touched {
  int allocation = 0;
  std::string before, after;
  std::vector<Pointer> pointers;
  // Of the content after, where it is another:
  Type type = Type::kUnknown;
  double min = 0, max = 0, mean = 0, magnitude = 0;
  size_t nan = 0, infinite = 0;
  size_t firstBlock = 0, blocks = 0;  // in the run's sketches

  bool written() const { return before != after; }
};

struct Event {
  size_t number = 0;
  std::string kind;       // kernel, copy, set, library, collective, graph
  std::string name;       // mangled
  std::string signature;  // demangled
  std::string key;  // what is aligned: kind, and name without parameters or bytes, in the vendor's words
  std::array<unsigned, 3> grid{}, block{};
  unsigned shared = 0;
  std::string image;
  std::vector<Argument> arguments;
  std::vector<Touched> touched;
  bool failed = false;
};

struct Run {
  std::string path, api, program;
  std::vector<Allocation> allocations;
  std::vector<Event> events;  // those that may write to device memory
  std::vector<BlockSketch> sketches;

  std::optional<std::string> content(const std::string& hash) const;
};

// False, with the reason.
bool readRun(const std::string& path, Run& run, std::string& error);

}  // namespace musashim::diff
