#include "run_folder.h"

#include <sys/stat.h>

#include <cerrno>
#include <cmath>
#include <cstring>

namespace musashim::record {
namespace {

bool makeFolder(const std::string& path) {
  if (mkdir(path.c_str(), 0777) == 0 || errno == EEXIST) return true;
  std::fprintf(stderr, "musashim-record: cannot make the folder %s: %s\n", path.c_str(),
               std::strerror(errno));
  return false;
}

}  // namespace

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') {
      result += '\\';
      result += letter;
    } else if (static_cast<unsigned char>(letter) < 32) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", letter);
      result += escape;
    } else {
      result += letter;
    }
  }
  return result + '"';
}

std::string number(double value) {
  if (!std::isfinite(value)) return "null";
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

bool RunFolder::open(const std::string& path, uint64_t keptLimit) {
  path_ = path;
  keptLimit_ = keptLimit;
  if (!makeFolder(path) || !makeFolder(path + "/contents")) return false;
  index_ = std::fopen((path + "/index.jsonl").c_str(), "we");
  sketches_ = std::fopen((path + "/sketches.bin").c_str(), "we");
  if (index_ != nullptr && sketches_ != nullptr) return true;
  std::fprintf(stderr, "musashim-record: cannot write to %s: %s\n", path.c_str(), std::strerror(errno));
  return false;
}

void RunFolder::line(const std::string& object) {
  std::fflush(sketches_);
  std::fprintf(index_, "%s\n", object.c_str());
  std::fflush(index_);
}

std::string RunFolder::sketchPlace(const Sketch& sketch) {
  const uint64_t first = pairs_;
  std::fwrite(sketch.blocks.data(), sizeof(BlockSketch), sketch.blocks.size(), sketches_);
  pairs_ += sketch.blocks.size();
  return "[" + std::to_string(first) + "," + std::to_string(sketch.blocks.size()) + "]";
}

bool RunFolder::keep(const std::string& hash, const void* data, size_t bytes) {
  if (contents_.count(hash) != 0) return true;
  if (kept_ + bytes > keptLimit_) {
    if (!full_ && keptLimit_ != 0) {
      line("{\"event\":\"full\",\"limit\":" + std::to_string(keptLimit_) + "}");
      full_ = true;
    }
    return false;
  }
  std::FILE* file = std::fopen((path_ + "/contents/" + hash).c_str(), "we");
  if (file == nullptr) return false;
  const bool whole = std::fwrite(data, 1, bytes, file) == bytes;
  if (std::fclose(file) != 0 || !whole) return false;
  kept_ += bytes;
  contents_.insert(hash);
  return true;
}

}  // namespace musashim::record
