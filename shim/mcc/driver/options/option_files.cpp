#include "option_files.h"

#include <memory>
#include <optional>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/StringSaver.h"

namespace musashim::mcc {
namespace {

using llvm::StringRef;
using Strings = std::vector<std::string>;

constexpr StringRef kSpellings[] = {"--options-file", "-options-file", "-optf", "--optf"};

struct Reference {
  std::string file;
  bool mustExist = true;
  bool valueIsNext = false;
};

std::optional<Reference> referenceOf(StringRef argument) {
  if (argument.size() > 1 && argument.consume_front("@")) return Reference{argument.str(), false, false};
  const auto [name, value] = argument.split('=');
  if (!llvm::is_contained(kSpellings, name)) return std::nullopt;
  return Reference{value.str(), true, name.size() == argument.size()};
}

class Expander {
 public:
  Expander(Strings& expanded, std::string& error) : expanded_(expanded), error_(error) {}

  bool expand(const Strings& arguments) {
    for (size_t i = 0; i < arguments.size(); ++i) {
      std::optional<Reference> reference = referenceOf(arguments[i]);
      if (!reference) {
        expanded_.push_back(arguments[i]);
        continue;
      }
      if (reference->valueIsNext) {
        if (i + 1 == arguments.size()) return fail("'" + arguments[i] + "' needs a value");
        reference->file = arguments[++i];
      }
      if (!insert(*reference, arguments[i])) return false;
    }
    return true;
  }

 private:
  bool fail(const std::string& what) {
    error_ = what;
    return false;
  }

  bool insert(const Reference& reference, const std::string& argument) {
    const auto text = llvm::MemoryBuffer::getFile(reference.file, /*IsText=*/true);
    if (!text && reference.mustExist)
      return fail("cannot read '" + reference.file + "': " + text.getError().message());
    if (!text) {
      expanded_.push_back(argument);
      return true;
    }
    for (const std::string& file : open_)
      if (llvm::sys::fs::equivalent(file, reference.file))
        return fail("'" + open_.back() + "' names '" + reference.file +
                    "', which is being read: files of options cannot hold themselves");
    open_.push_back(reference.file);
    const bool isWhole = expand(wordsOf((*text)->getBuffer()));
    open_.pop_back();
    return isWhole;
  }

  static Strings wordsOf(StringRef text) {
    llvm::BumpPtrAllocator allocator;
    llvm::StringSaver saver(allocator);
    llvm::SmallVector<const char*, 16> words;
    llvm::cl::TokenizeGNUCommandLine(text, saver, words);
    return {words.begin(), words.end()};
  }

  Strings& expanded_;
  std::string& error_;
  Strings open_;
};

}  // namespace

bool expandOptionFiles(const Strings& arguments, Strings& expanded, std::string& error) {
  return Expander(expanded, error).expand(arguments);
}

}  // namespace musashim::mcc
