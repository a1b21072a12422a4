#include "image_link.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "core/child_program.h"
#include "core/whole_file.h"
#include "mcc/driver/compile/device_image.h"
#include "mcc/driver/process.h"

namespace musashim::mtrtc {
namespace {

// Without the linker's name, and without the files of ours that it names.
std::string readable(const std::string& words, const std::string& folder) {
  std::istringstream lines(words);
  std::string result;
  for (std::string line; std::getline(lines, line);) {
    if (line.find(folder) != std::string::npos) continue;
    if (const size_t error = line.find(": error: "); error != std::string::npos)
      line = "mtrtc" + line.substr(error);
    result += line + '\n';
  }
  return result;
}

}  // namespace

bool linkObject(const mcc::Toolchain& toolchain, const std::string& object, std::string& image,
                std::string& log) {
  const mcc::TemporaryFolder folder;
  if (!folder.isOpen()) {
    log += "mtrtc: error: cannot make a temporary folder: is TMPDIR writable?\n";
    return false;
  }
  const std::string input = folder.file("unit.o"), output = folder.file("unit.so"),
                    words = folder.file("words");
  std::ofstream(input, std::ios::binary) << object;
  const std::vector<std::string> command = mcc::imageLinkCommand(toolchain, input, output);
  if (const int failure = core::runProgram(command, words)) {
    log += "mtrtc: error: cannot run '" + command.front() + "': " + strerror(failure) + "\n";
    return false;
  }
  log += readable(core::contentOf(words), folder.path());
  image = core::contentOf(output);
  return !image.empty();
}

}  // namespace musashim::mtrtc
