#include "source_kind.h"

#include <optional>
#include <string>
#include <vector>

#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

namespace musashim::mcc {
namespace {

using llvm::StringRef;

// kMusaNames, kCudaNames, kMusaHeaders, kCudaHeaders: what one of the two has and the other has not.
#include "src/source_names.inc"

constexpr unsigned kMostFiles = 64;  // that are looked at, before a file counts as one without names

template <size_t N>
llvm::StringSet<> setOf(const StringRef (&names)[N]) {
  llvm::StringSet<> set;
  for (const StringRef name : names) set.insert(name);
  return set;
}

// Names of one interface that no list has, by how its functions are called.
bool isCalledAs(StringRef name, StringRef prefix) {
  return name.consume_front(prefix) && !name.empty() && llvm::isUpper(name.front());
}

bool isMusaName(StringRef name) {
  static const llvm::StringSet<> names = setOf(kMusaNames);
  return names.contains(name) || isCalledAs(name, "musa") || name.starts_with("__musa_") ||
         name.starts_with("__MUSA");
}
bool isCudaName(StringRef name) {
  static const llvm::StringSet<> names = setOf(kCudaNames);
  return names.contains(name) || isCalledAs(name, "cuda");
}
bool isMusaHeader(StringRef name) {
  static const llvm::StringSet<> names = setOf(kMusaHeaders);
  return names.contains(name);
}
bool isCudaHeader(StringRef name) {
  static const llvm::StringSet<> names = setOf(kCudaHeaders);
  return names.contains(name);
}

class Sources {
 public:
  SourceKind kindOf(StringRef path) {
    see(path.str());
    while (!hasMusa_ && !hasCuda_ && next_ < files_.size()) read(files_[next_++]);
    return hasCuda_ && !hasMusa_ ? SourceKind::kCuda : SourceKind::kMusa;
  }

 private:
  void see(const std::string& path) {
    if (files_.size() < kMostFiles && seen_.insert(path).second) files_.push_back(path);
  }

  void read(const std::string& path) {
    const auto buffer = llvm::MemoryBuffer::getFile(path);
    if (!buffer) return;
    clang::LangOptions language;
    language.CPlusPlus = language.CPlusPlus11 = language.LineComment = true;
    const StringRef text = (*buffer)->getBuffer();
    clang::Lexer lexer(clang::SourceLocation(), language, text.begin(), text.begin(), text.end());
    clang::Token token;
    bool isDirective = false, isInclude = false;
    for (bool atEnd = false; !atEnd && !hasMusa_;) {
      atEnd = lexer.LexFromRawLexer(token);
      const bool includes = isInclude && !token.isAtStartOfLine();
      if (includes) include(path, text.substr(lexer.getCurrentBufferOffset() - token.getLength()));
      isInclude = token.is(clang::tok::raw_identifier) && isDirective &&
                  (token.getRawIdentifier() == "include" || token.getRawIdentifier() == "import");
      isDirective = token.is(clang::tok::hash) && token.isAtStartOfLine();
      if (includes || token.isNot(clang::tok::raw_identifier)) continue;
      hasMusa_ = hasMusa_ || isMusaName(token.getRawIdentifier());
      hasCuda_ = hasCuda_ || isCudaName(token.getRawIdentifier());
    }
  }

  // `text` begins with the name of the header.
  void include(const std::string& path, StringRef text) {
    const StringRef line = text.take_until([](char c) { return c == '\n'; });
    const char closes = line.starts_with("<") ? '>' : '"';
    if (line.empty() || (line.front() != '<' && line.front() != '"')) return;
    const StringRef name = line.drop_front().take_until([closes](char c) { return c == closes; });
    const bool isToolkits = closes == '>';  // a project may have a "cuda_helpers.h" of its own
    hasMusa_ = hasMusa_ || isMusaHeader(name) || (isToolkits && name.starts_with("musa/"));
    hasCuda_ = hasCuda_ || isCudaHeader(name) || (isToolkits && name.starts_with("cuda/"));
    if (isToolkits) return;
    llvm::SmallString<256> file(llvm::sys::path::parent_path(path));
    llvm::sys::path::append(file, name);
    see(file.str().str());
  }

  std::vector<std::string> files_;
  llvm::StringSet<> seen_;
  size_t next_ = 0;
  bool hasMusa_ = false, hasCuda_ = false;
};

}  // namespace

bool isToolkitHeader(StringRef name) { return isMusaHeader(name) || isCudaHeader(name); }

SourceKind sourceKind(StringRef path) { return Sources().kindOf(path); }

}  // namespace musashim::mcc
