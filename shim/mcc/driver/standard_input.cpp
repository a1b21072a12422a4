#include "standard_input.h"

#include <filesystem>
#include <fstream>

#include "errors.h"
#include "llvm/Support/MemoryBuffer.h"

namespace musashim::mcc {

namespace {

// A pipe or a device, which can be read once.
bool isStream(const Input& input) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(input.path, error);
  return input.path == "-" || (std::filesystem::exists(status) && std::filesystem::is_other(status));
}

}  // namespace

int readStandardInput(Options& options, const TemporaryFolder& folder) {
  bool isRead = false;
  for (Input& input : options.inputs) {
    if (!input.isOurs() || !isStream(input)) continue;
    isRead = true;
    const bool isStandard = input.path == "-";
    const auto text =
        isStandard ? llvm::MemoryBuffer::getSTDIN() : llvm::MemoryBuffer::getFileAsStream(input.path);
    if (!text) return failStatus("cannot read '" + input.path + "': " + text.getError().message());
    const std::string name = isStandard ? "<stdin>" : input.path;
    const std::string stem = isStandard ? "stdin" : std::filesystem::path(input.path).stem().string();
    const char* suffix = input.isC ? ".c" : input.isCxx ? ".cpp" : input.isCuda ? ".cu" : ".mu";
    input.path = folder.file(stem + suffix);
    std::ofstream file(input.path, std::ios::binary);
    // Messages name what the user knows.
    file << "# 1 \"" << name << "\"\n" << (*text)->getBuffer().str();
    if (!file.flush()) return failStatus("cannot write '" + input.path + "': is TMPDIR full?");
    options.clangArguments[input.argument] = input.path;
  }
  std::error_code error;
  if (isRead)
    options.clangArguments.insert(options.clangArguments.end(),
                                  {"-iquote", std::filesystem::current_path(error).string()});
  return 0;
}

}  // namespace musashim::mcc
