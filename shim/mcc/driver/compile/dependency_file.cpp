#include "dependency_file.h"

#include <filesystem>
#include <set>

#include "core/whole_file.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "make_rules.h"
#include "mcc/driver/errors.h"

namespace musashim::mcc {
namespace {

using Strings = std::vector<std::string>;

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

// A device (/dev/null), a pipe and a link stay what they are; from a pipe nothing can be read again.
bool isReplaceable(const std::string& file) {
  std::error_code error;
  const auto kind = std::filesystem::symlink_status(file, error).type();
  return file != "-" &&
         (kind == std::filesystem::file_type::not_found || kind == std::filesystem::file_type::regular);
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

DependencyFile::DependencyFile(FrontendArguments& host, const std::string& aside) {
  Strings& arguments = host.arguments;
  const auto option = llvm::find(arguments, "-dependency-file");
  if (option == arguments.end() || option + 1 == arguments.end()) return;
  file_ = rules_ = *(option + 1);
  if (!isReplaceable(file_)) rules_ = *(option + 1) = aside;
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
  const std::string rules = core::contentOf(rules_), completed = withPrerequisites(rules, more, withTargets_);
  if (rules_ == file_) {
    if (completed == rules || core::writeWhole(file_, completed)) return 0;
    return failStatus("cannot write '" + file_ + "'");
  }
  std::error_code error;
  llvm::raw_fd_ostream out(file_, error);  // "-" is what is printed
  if (!error) out << completed;
  out.flush();  // and not close(): the next source's may be printed as well
  if (!error) error = out.error();
  out.clear_error();
  return error ? failStatus("cannot write '" + file_ + "': " + error.message()) : 0;
}

}  // namespace musashim::mcc
