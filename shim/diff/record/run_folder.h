// What a recording leaves: a folder with `index.jsonl` (a JSON object in each line, in the order of the run),
// `sketches.bin` (pairs of doubles that the index points into) and `contents/` (files named by their hashes).
#pragma once

#include <cstdint>
#include <cstdio>
#include <set>
#include <string>

#include "sketch.h"

namespace musashim::record {

// Text of a JSON value.
std::string quoted(const std::string& text);
std::string number(double value);  // null for what JSON has not

class RunFolder {
 public:
  // Makes the folder. False when that is not possible, which is told on stderr.
  bool open(const std::string& path, uint64_t keptLimit);

  void line(const std::string& object);  // of the index; out at once, as the program may be killed

  // Sketch blocks go to the file; `[first pair, pairs]` of them.
  std::string sketchPlace(const Sketch& sketch);

  // Keeps content by its hash, unless the folder has it or would outgrow its limit. False when it is not
  // there.
  bool keep(const std::string& hash, const void* data, size_t bytes);
  bool has(const std::string& hash) const { return contents_.count(hash) != 0; }

 private:
  std::string path_;
  std::FILE* index_ = nullptr;
  std::FILE* sketches_ = nullptr;
  uint64_t pairs_ = 0;
  uint64_t kept_ = 0, keptLimit_ = 0;  // bytes
  std::set<std::string> contents_;
  bool full_ = false;
};

}  // namespace musashim::record
