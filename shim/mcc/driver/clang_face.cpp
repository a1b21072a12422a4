#include "clang_face.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "errors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "mcc/driver/options/option_files.h"

namespace musashim::mcc {
namespace {

using llvm::StringRef;

bool isMusaWord(StringRef argument) {
  if (argument == "-mtgpu" || argument == "-xmusa") return true;
  if (argument.starts_with("--offload-arch=mp_") || argument.starts_with("--cuda-gpu-arch=mp_")) return true;
  return !argument.starts_with("-") && (argument.ends_with(".mu") || argument.ends_with(".cu"));
}

std::string nameOf(const std::string& program) { return std::filesystem::path(program).filename().string(); }

}  // namespace

bool isCalledClang(const std::string& program) {
  const std::string name = nameOf(program);
  return name == "clang" || name == "clang++";
}

bool hasMusaWork(const std::vector<std::string>& arguments) {
  std::vector<std::string> words;
  std::string error;
  // A file of options that cannot be read is clang's to report.
  if (!expandOptionFiles(arguments, words, error)) return false;
  for (size_t i = 0; i < words.size(); ++i) {
    if (isMusaWord(words[i])) return true;
    if (words[i] == "-x" && i + 1 < words.size() && words[i + 1] == "musa") return true;
    // What follows is no input.
    if (llvm::is_contained({"-o", "-MF", "-MT", "-MQ", "-I", "-D", "-include"}, words[i])) ++i;
  }
  return false;
}

int runAsClang(const Toolchain& toolchain, const std::string& program,
               const std::vector<std::string>& arguments) {
  // It knows by its name whether it links C++ programs.
  std::vector<char*> words{const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  execv(toolchain.clang.c_str(), words.data());
  return failStatus("cannot run '" + toolchain.clang + "': " + std::strerror(errno));
}

}  // namespace musashim::mcc
