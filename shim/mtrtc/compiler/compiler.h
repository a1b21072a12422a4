// What libmtrtc and the compiler behind it say to each other. The compiler is a module of its own, which is
// loaded when the first program has to be compiled: clang's libraries take longer to load than the cache to
// answer.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace musashim::mtrtc {

struct SourceText {
  std::string name, text;
};

struct CompileRequest {
  std::string sdk;  // its root
  bool isCuda = false;
  SourceText source;
  std::vector<SourceText> headers;
  std::vector<uint32_t> archs;        // __MUSA_ARCH__ values; empty: every one that mcc knows
  std::vector<std::string> language;  // options of mcc's that decide what the SDK's headers mean
  std::vector<std::string> frontend;  // -D, -U, -I, -isystem and -include, one word each, in their order
  bool relocatable = false;           // a unit is to be made, for a link with others
  bool defaultDevice = false;         // what names no side is the device's
  std::vector<std::string> names;     // name expressions
};

enum class Outcome { kDone, kMistakes, kInternalError };

struct CompileResult {
  Outcome outcome = Outcome::kInternalError;
  std::string log;
  std::string image;                 // an offload bundle, of images or with a unit
  std::vector<std::string> lowered;  // by name expression
  std::vector<std::string> files;    // that were read and are not the SDK's
};

}  // namespace musashim::mtrtc

extern "C" {
// Safe to be called by several threads.
using MusashimMtrtcCompile = void(const musashim::mtrtc::CompileRequest&, musashim::mtrtc::CompileResult&);
MusashimMtrtcCompile musashim_mtrtc_compile;
}
