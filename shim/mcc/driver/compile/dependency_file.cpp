#include "dependency_file.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "make_rules.h"
#include "mcc/driver/errors.h"

namespace musashim::mcc {
namespace {

using Strings = std::vector<std::string>;

std::string contentOf(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// As clang writes them.
std::string escaped(const std::string& name) {
  std::string result;
  for (const char c : name) {
    if (c == ' ' || c == '#') result += '\\';
    if (c == '$') result += '$';
    result += c;
  }
  return result;
}

// Of the first rule: where the line ends that does not go on.
size_t endOfRule(const std::string& text) {
  size_t end = text.find('\n');
  while (end != std::string::npos && end > 0 && text[end - 1] == '\\') end = text.find('\n', end + 1);
  return end == std::string::npos ? text.size() : end;
}

}  // namespace

std::string withPrerequisites(const std::string& text, const Strings& more, bool withTargets) {
  const Strings words = wordsOfRules(text);
  std::set<std::string> known(words.begin(), words.end());
  std::string prerequisites, targets;
  for (const std::string& file : more) {
    if (!known.insert(file).second) continue;
    prerequisites += " \\\n  " + escaped(file);
    targets += escaped(file) + ":\n";
  }
  std::string result = text;
  result.insert(endOfRule(text), prerequisites);
  return withTargets ? result + targets : result;
}

DependencyFile::DependencyFile(FrontendArguments& host, std::string printed) {
  Strings& arguments = host.arguments;
  const auto option = llvm::find(arguments, "-dependency-file");
  if (option == arguments.end() || option + 1 == arguments.end()) return;
  std::string& file = *(option + 1);
  isPrinted_ = file == "-";
  if (isPrinted_) file = std::move(printed);
  file_ = file;
  withSystemHeaders_ = llvm::is_contained(arguments, "-sys-header-deps");
  withTargets_ = llvm::is_contained(arguments, "-MP");
  mayBeMissing_ = llvm::is_contained(arguments, "-MG");
}

void DependencyFile::addTo(Strings& devicePass, const std::string& list) {
  devicePass.insert(devicePass.end(), {"-dependency-file", list, "-MT", "read"});
  if (withSystemHeaders_) devicePass.emplace_back("-sys-header-deps");
  if (mayBeMissing_ && !llvm::is_contained(devicePass, "-MG")) devicePass.emplace_back("-MG");
  lists_.push_back(list);
}

int DependencyFile::complete() const {
  Strings more;
  for (const std::string& list : lists_) {
    for (std::string& file : prerequisites(list)) more.push_back(std::move(file));
  }
  const std::string rules = contentOf(file_), completed = withPrerequisites(rules, more, withTargets_);
  if (isPrinted_) {
    llvm::outs() << completed;
    return 0;
  }
  if (completed == rules) return 0;
  // Appears whole, as clang's does.
  const std::string made = file_ + ".mcc";
  std::ofstream out(made, std::ios::binary);
  out << completed;
  out.close();
  std::error_code error;
  if (out) std::filesystem::rename(made, file_, error);
  if (out && !error) return 0;
  std::filesystem::remove(made, error);
  return failStatus("cannot write '" + file_ + "'");
}

}  // namespace musashim::mcc
