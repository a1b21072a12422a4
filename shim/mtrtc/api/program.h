// A program of MTRTC's.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "mtrtc.h"
#include "mtrtc/compiler/compiler.h"

struct _mtrtcProgram {
  bool isCuda = false;
  musashim::mtrtc::SourceText source;
  std::vector<musashim::mtrtc::SourceText> headers;
  std::vector<std::string> names;  // in the order in which they were added

  bool tried = false;        // to compile
  bool compiled = false;     // with success
  bool relocatable = false;  // to a unit
  std::string log;
  std::string image;
  std::string text;  // the image in letters, made when it is asked for
  std::map<std::string, std::string, std::less<>> lowered;
};

namespace musashim::mtrtc {

mtrtcResult compileProgram(_mtrtcProgram& program, const std::vector<std::string>& options);

}  // namespace musashim::mtrtc
