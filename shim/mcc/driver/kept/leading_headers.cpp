#include "leading_headers.h"

#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "mcc/driver/options/source_kind.h"

namespace musashim::mcc {
namespace {

using llvm::StringRef;

// Of the C++ library, what takes more than some 10 ms to read, or brings such with it.
constexpr StringRef kLong[] = {"algorithm",
                               "any",
                               "array",
                               "barrier",
                               "bitset",
                               "charconv",
                               "chrono",
                               "complex",
                               "condition_variable",
                               "deque",
                               "exception",
                               "execution",
                               "filesystem",
                               "format",
                               "forward_list",
                               "fstream",
                               "functional",
                               "future",
                               "iomanip",
                               "ios",
                               "iostream",
                               "istream",
                               "iterator",
                               "latch",
                               "list",
                               "locale",
                               "map",
                               "memory",
                               "memory_resource",
                               "mutex",
                               "numeric",
                               "optional",
                               "ostream",
                               "queue",
                               "random",
                               "ranges",
                               "regex",
                               "set",
                               "shared_mutex",
                               "span",
                               "sstream",
                               "stack",
                               "stdexcept",
                               "streambuf",
                               "string",
                               "string_view",
                               "system_error",
                               "thread",
                               "tuple",
                               "unordered_map",
                               "unordered_set",
                               "valarray",
                               "variant",
                               "vector"};

// Those that take none, of C++, C and POSIX.
constexpr StringRef kShort[] = {"atomic",
                                "bit",
                                "cassert",
                                "cctype",
                                "cerrno",
                                "cfenv",
                                "cfloat",
                                "cinttypes",
                                "climits",
                                "clocale",
                                "cmath",
                                "compare",
                                "concepts",
                                "csetjmp",
                                "csignal",
                                "cstdarg",
                                "cstddef",
                                "cstdint",
                                "cstdio",
                                "cstdlib",
                                "cstring",
                                "ctime",
                                "cwchar",
                                "cwctype",
                                "initializer_list",
                                "iosfwd",
                                "limits",
                                "new",
                                "numbers",
                                "ratio",
                                "scoped_allocator",
                                "source_location",
                                "typeindex",
                                "type_traits",
                                "typeinfo",
                                "utility",
                                "version",
                                "assert.h",
                                "ctype.h",
                                "errno.h",
                                "fenv.h",
                                "float.h",
                                "inttypes.h",
                                "limits.h",
                                "locale.h",
                                "math.h",
                                "setjmp.h",
                                "signal.h",
                                "stdarg.h",
                                "stdbool.h",
                                "stddef.h",
                                "stdint.h",
                                "stdio.h",
                                "stdlib.h",
                                "string.h",
                                "time.h",
                                "wchar.h",
                                "dirent.h",
                                "dlfcn.h",
                                "fcntl.h",
                                "getopt.h",
                                "libgen.h",
                                "poll.h",
                                "pthread.h",
                                "sched.h",
                                "semaphore.h",
                                "spawn.h",
                                "strings.h",
                                "unistd.h"};

// The same of the SDK's. None of them has kernels; what a device variable needs, which mtshmem.h has, is kept
// by frontend/precompiled_variables.cpp.
constexpr StringRef kLongOfSdk[] = {"cooperative_groups.h",
                                    "cooperative_groups/reduce.h",
                                    "cooperative_groups/scan.h",
                                    "mccl.h",
                                    "mma.h",
                                    "mtshmem.h",
                                    "mtshmemx.h",
                                    "mublas.h",
                                    "mublasLt.h",
                                    "mublasXt.h",
                                    "mudnn.h",
                                    "mufft.h",
                                    "mufftXt.h",
                                    "mupti.h",
                                    "murand_kernel.h",
                                    "musa_bf16.h",
                                    "musa_fp16.h",
                                    "musa_fp8.h",
                                    "musolverDn.h",
                                    "musolverSp.h",
                                    "musparse.h"};

class Search {
 public:
  explicit Search(const PreludeStep& step) : step_(step), files_(filesOf(step)) {}

  // Whether `path` has nothing but headers, so that what includes it goes on.
  bool read(StringRef path) {
    if (!seen_.insert(path).second) return true;
    const auto buffer = files_->getBufferForFile(path);
    if (!buffer || seen_.size() > kMostFiles) return false;
    clang::LangOptions language;
    language.CPlusPlus = language.CPlusPlus11 = language.LineComment = true;
    const StringRef text = (*buffer)->getBuffer();
    clang::Lexer lexer(clang::SourceLocation(), language, text.begin(), text.begin(), text.end());
    std::string guard;
    bool isClosed = false;  // behind the guard
    for (;;) {
      clang::Token token;
      lexer.LexFromRawLexer(token);
      if (token.is(clang::tok::eof)) return true;
      const bool begins = token.is(clang::tok::hash) && token.isAtStartOfLine();
      lexer.LexFromRawLexer(token);
      if (!begins || token.isNot(clang::tok::raw_identifier)) return false;
      const StringRef line =
          text.substr(lexer.getCurrentBufferOffset()).take_until([](char c) { return c == '\n'; });
      if (isClosed || !directive(path, token.getRawIdentifier(), line.trim(), guard, isClosed)) return false;
      lexer.seek(static_cast<unsigned>(line.end() - text.begin()), /*IsAtStartOfLine=*/true);
    }
  }

  std::set<std::string> found;

 private:
  static constexpr size_t kMostFiles = 32;

  // With those that clang reads in their place.
  static llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> filesOf(const PreludeStep& step) {
    auto real = llvm::vfs::getRealFileSystem();
    if (step.replacements.empty()) return real;
    auto list = llvm::MemoryBuffer::getFile(step.replacements);
    if (!list) return real;
    auto files =
        llvm::vfs::getVFSFromYAML(std::move(*list), nullptr, step.replacements, nullptr, std::move(real));
    return files != nullptr ? std::move(files) : llvm::vfs::getRealFileSystem();
  }

  static bool isOnlyComment(StringRef text) {
    text = text.ltrim();
    return text.empty() || text.starts_with("//") ||
           (text.starts_with("/*") && text.find("*/") == text.rtrim().size() - 2);
  }

  // Whether it changes nothing for what follows.
  bool directive(StringRef path, StringRef name, StringRef line, std::string& guard, bool& isClosed) {
    if (line.ends_with("\\")) return false;
    if (name == "include") return include(path, line);
    if (name == "pragma") return line == "once";
    if (name == "endif") return isClosed = !guard.empty() && isOnlyComment(line);
    const StringRef word = line.take_until([](char c) { return c == ' ' || c == '\t' || c == '/'; });
    if (!isOnlyComment(line.drop_front(word.size()))) return false;
    if (name == "ifndef" && guard.empty() && !isDefined(word)) return guard = word, true;
    return name == "define" && word == guard;
  }

  bool isDefined(StringRef macro) const {
    return llvm::any_of(step_.macros, [&](const MacroOption& option) { return option.name == macro; });
  }

  bool include(StringRef path, StringRef line) {
    const bool isQuoted = line.consume_front("\"");
    if (!isQuoted && !line.consume_front("<")) return false;
    const size_t end = line.find(isQuoted ? '"' : '>');
    if (end == StringRef::npos || !isOnlyComment(line.drop_front(end + 1))) return false;
    const StringRef name = line.take_front(end);
    if (isQuoted) {
      if (const std::string file = beside(llvm::sys::path::parent_path(path), name); !file.empty())
        return read(file);
    }
    for (const std::string& folder : step_.userFolders) {
      if (!beside(folder, name).empty()) return isQuoted && read(beside(folder, name));
    }
    if (llvm::is_contained(kLong, name)) return found.insert(name.str()), true;
    if (llvm::is_contained(kShort, name) || name.starts_with("sys/")) return true;
    const bool isOfSdk = !step_.systemFolders.empty() && !beside(step_.systemFolders.front(), name).empty();
    if (isOfSdk && llvm::is_contained(kLongOfSdk, name)) found.insert(name.str());
    return isOfSdk || isToolkitHeader(name);
  }

  static std::string beside(StringRef folder, StringRef name) {
    llvm::SmallString<256> file(folder);
    llvm::sys::path::append(file, name);
    return llvm::sys::fs::is_regular_file(file) ? file.str().str() : std::string();
  }

  const PreludeStep& step_;
  const llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files_;
  llvm::StringSet<> seen_;
};

}  // namespace

std::set<std::string> leadingHeaders(const PreludeStep& step) {
  Search search(step);
  search.read(step.source);
  return search.found;
}

}  // namespace musashim::mcc
