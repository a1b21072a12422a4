#include "nvcc_options.h"

#include <optional>

#include "clang_options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "nvcc_option_table.h"
#include "option_words.h"

namespace musashim::mcc {
namespace {

using llvm::StringRef;
using Strings = std::vector<std::string>;
using enum NvccAction;

bool isClangsToo(const NvccOption& option) {
  return option.action == kClangs || option.action == kClangsList;
}

bool isNumber(StringRef text) { return !text.empty() && llvm::all_of(text, llvm::isDigit); }

// nvcc's -t4 is its -t=4, and its -O 2 no level of clang's and a file.
std::string withEqualsSign(const std::string& argument, StringRef next, bool& tookNext) {
  StringRef number = argument;
  if (number.consume_front("-t") && isNumber(number)) return "-t=" + number.str();
  tookNext = argument == "-O" && isNumber(next);
  return tookNext ? "-O=" + next.str() : argument;
}

// nvcc's -Ia,b and the like, which are lists as well: -I=a,b.
std::string withListsName(const std::string& argument) {
  for (const StringRef name : {"-D", "-U", "-I", "-L", "-l"}) {
    StringRef list = argument;
    if (list.consume_front(name) && !list.empty() && list.front() != '=') return (name + "=" + list).str();
  }
  return argument;
}

// gcc and clang have -I=DIR as well, in the folder that --sysroot names; without one it is nvcc's.
bool namesSysroot(const Strings& arguments) {
  return llvm::any_of(arguments, [](StringRef argument) {
    return argument.starts_with("--sysroot") || argument.starts_with("-isysroot");
  });
}

// nvcc does not mind how many dashes there are, but clang may know the other spelling.
bool isNameOf(const NvccOption& option, StringRef name, bool isLong, OptionDialect dialect) {
  if (name.empty()) return false;
  const bool isClangsName = option.shortNameIs == ShortName::kNvccs && dialect == OptionDialect::kClang;
  if (!isLong && isClangsName && name == option.shortName) return false;
  if (name == (isLong ? option.name : option.shortName)) return true;
  return isLong ? name == option.shortName && name != "include"
                : name == option.name && !option.shortName.empty();
}

// The row of an argument, and its value where that is part of it (--name=value, -name=value).
const NvccOption* findOption(StringRef argument, bool hasSysroot, OptionDialect dialect,
                             std::optional<StringRef>& joined) {
  if (!argument.consume_front("-")) return nullptr;
  const bool isLong = argument.consume_front("-");
  const auto [name, value] = argument.split('=');
  const bool hasValue = name.size() != argument.size();
  for (const NvccOption& option : nvccOptions()) {
    if (!isNameOf(option, name, isLong, dialect)) continue;
    if (hasValue && !takesValue(option)) return nullptr;
    if (!isLong && name == option.shortName) {
      const bool isNvccsList = option.action == kClangsList && dialect == OptionDialect::kNvcc;
      if (isClangsToo(option) && !isNvccsList && (!hasValue || hasSysroot)) return nullptr;
      // Clang knows -std=c++17 and the like itself.
      if (option.action == kPrefix && option.becomes == ("-" + name + "=").str() && hasValue) return nullptr;
    }
    if (hasValue) joined = value;
    return &option;
  }
  return nullptr;
}

// The kinds of nvcc's warnings that are clang's as well.
bool isClangsWarningKind(StringRef word) { return word == "reorder" || word == "deprecated-declarations"; }

// -Werror all-warnings: to clang, -Werror has no value, and what follows would be a file.
bool isWarningKind(StringRef word) {
  static constexpr StringRef kKinds[] = {
      "all-warnings",           "cross-execution-space-call", "reorder",
      "default-stream-launch",  "missing-launch-bounds",      "ext-lambda-captures-this",
      "deprecated-declarations"};
  return llvm::is_contained(kKinds, word);
}

// What clang has of the kinds of -Werror=cross-execution-space-call,reorder; nothing when none is nvcc's.
std::optional<Strings> warningsAsErrors(StringRef list) {
  llvm::SmallVector<StringRef, 4> kinds;
  list.split(kinds, ',');
  const auto isNvccs = [](StringRef kind) { return isWarningKind(kind) && !isClangsWarningKind(kind); };
  if (llvm::none_of(kinds, isNvccs)) return std::nullopt;
  Strings result;
  for (const StringRef kind : kinds) {
    if (kind == "all-warnings") result.push_back("-Werror");
    if (!isNvccs(kind)) result.push_back(("-Werror=" + kind).str());
  }
  return result;
}

// What the host's compiler is asked by way of nvcc, and answers without a source.
bool isHostQuery(StringRef word) {
  return word.starts_with("-dump") || word.starts_with("-print-") || word.starts_with("--print-");
}

// Of -Xcompiler, where mcc's own --version and --help mean the compiler's.
bool isQuestion(StringRef word) { return isHostQuery(word) || word == "--version" || word == "--help"; }

// Of -Xcompiler, for the g++ that nvcc would call. To clang it is a mistake, or one with -Werror.
bool isGccsAlone(StringRef word) {
  return (word.starts_with("-W") || isGccsOptimization(word)) && isUnknownToClang(word);
}

// gcc's -dumpfullversion is what clang says of -dumpversion.
std::string clangsQuery(StringRef word) { return word == "-dumpfullversion" ? "-dumpversion" : word.str(); }

// -arch=sm_80 says nothing that MUSA knows; -arch=mp_22, which porters write, does.
Strings archArguments(StringRef value) {
  Strings arguments;
  llvm::SmallVector<StringRef, 4> parts;
  llvm::SplitString(value, parts, ",=[]\"");
  for (StringRef part : parts) {
    const std::string option = ("--offload-arch=" + part).str();
    if (part.starts_with("mp_") && !llvm::is_contained(arguments, option)) arguments.push_back(option);
  }
  return arguments;
}

Strings prefixed(StringRef prefix, Strings values) {
  for (std::string& value : values) value = prefix.str() + value;
  return values;
}

// NAME or NAME=TEXT.
bool isDefinition(StringRef text) {
  const StringRef name = text.split('=').first;
  return !name.empty() && !llvm::isDigit(name.front()) &&
         llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

// The values of -D and its like. To nvcc -DSIZES=1,2 is a mistake; here it is 1,2, as to clang.
Strings listValues(StringRef prefix, StringRef list) {
  Strings values = valuesOfList(list);
  const bool isMacro = prefix == "-D";
  if (isMacro && !llvm::all_of(llvm::drop_begin(values), isDefinition)) values = {llvm::join(values, ",")};
  return prefixed(prefix, values);
}

// Each is one of the linker's, even with a comma.
Strings linkerArguments(StringRef list) {
  const Strings words = wordsOfList(list);
  if (llvm::none_of(words, [](StringRef word) { return word.contains(','); }))
    return words.empty() ? Strings() : Strings{"-Wl," + llvm::join(words, ",")};
  Strings arguments;
  for (const std::string& word : words) arguments.insert(arguments.end(), {"-Xlinker", word});
  return arguments;
}

Strings replacementOf(const NvccOption& row, StringRef value) {
  switch (row.action) {
    case kReplace:
      return {row.becomes.str()};
    case kList:
    case kClangsList:
      return listValues(row.becomes, value);
    case kPrefix:
    case kClangs:
      return {(row.becomes + value).str()};
    case kSwitch:
      return value == row.when ? Strings{row.becomes.str()} : Strings{};
    case kWords:
      return wordsOfList(value);
    case kWordsWith:
      return prefixed(row.becomes, wordsOfList(value));
    case kLinker:
      return linkerArguments(value);
    case kArch:
      return archArguments(value);
    default:
      return {};
  }
}

StringRef reasonToDrop(const NvccOption& row) {
  if (row.action == kSwitch) return "that is so anyway";
  return row.becomes;
}

OptionNote noteOf(const std::string& option, const NvccOption& row, const Strings& replacement) {
  const std::string name = StringRef(option).take_until([](char c) { return c == '=' || c == ' '; }).str();
  const bool isLost = row.action == kDrop || row.action == kDropValue;
  if (replacement.empty())
    return {name, "'" + option + "' is left out (" + reasonToDrop(row).str() + ")", isLost};
  return {name, "'" + option + "' is taken as '" + llvm::join(replacement, " ") + "'", false};
}

// Libraries of CUDA's that the SDK has under its own name.
std::optional<StringRef> libraryOf(StringRef argument) {
  if (argument == "-lcudart" || argument == "-lcudart_static") return StringRef("-lmusart");
  if (argument == "-lcuda") return StringRef("-lmusa");
  if (argument == "-lnccl" || argument == "-lnccl_static") return StringRef("-lmccl");
  if (argument == "-lcupti") return StringRef("-lmupti");
  if (argument == "-lnvidia-ml") return StringRef("-lmtml_nvml");
  if (argument == "-lnvToolsExt") return StringRef("-lmttx");
  if (argument == "-lnvrtc" || argument == "-lnvrtc_static") return StringRef("-lmtrtc");
  if (argument == "-lcudadevrt") return StringRef();
  // The static form of libcublas needs libculibos too; ours need nothing beside them.
  if (argument == "-lculibos") return StringRef();
  static constexpr std::pair<StringRef, StringRef> kMathematics[] = {
      {"-lcublas", "-lmublas"},    {"-lcublasLt", "-lmublasLt"}, {"-lcufft", "-lmufft"},
      {"-lcufftw", "-lmufftw"},    {"-lcurand", "-lmurand"},     {"-lcusolver", "-lmusolver"},
      {"-lcusparse", "-lmusparse"}};
  StringRef shared = argument;
  shared.consume_back("_static");
  for (const auto& [theirs, ours] : kMathematics)
    if (shared == theirs) return ours;
  return std::nullopt;
}

class Translator {
 public:
  Translator(const Strings& arguments, OptionDialect dialect, NvccTranslation& result, std::string& error)
      : arguments_(arguments),
        dialect_(dialect),
        result_(result),
        error_(error),
        hasSysroot_(namesSysroot(arguments)) {}

  bool translate() {
    for (size_t i = 0; i < arguments_.size(); ++i) {
      if (!takeLibrary(i) && !takeWarnings(i) && !takeOption(i)) return false;
    }
    return true;
  }

 private:
  void take(const Strings& replacement, const OptionNote& note) {
    for (const std::string& argument : replacement) {
      const std::optional<StringRef> library = libraryOf(argument);
      const std::string mapped = library ? library->str() : argument;
      if (!mapped.empty()) result_.arguments.push_back(mapped);
    }
    result_.notes.push_back(note);
  }

  StringRef next(size_t i) const {
    return i + 1 < arguments_.size() ? StringRef(arguments_[i + 1]) : StringRef();
  }

  bool takeLibrary(size_t& i) {
    std::string option = arguments_[i];
    if (option == "-l") option += next(i);
    const std::optional<StringRef> library = libraryOf(option);
    if (!library) return false;
    if (arguments_[i] == "-l") ++i;
    const std::string fate =
        library->empty() ? "is left out (musart has it all)" : "is taken as '" + library->str() + "'";
    take({option}, {option, "'" + option + "' " + fate, false});
    return true;
  }

  // -Werror=KINDS, which clang has, too, and nvcc's -Werror KINDS.
  bool takeWarnings(size_t& i) {
    StringRef kinds = arguments_[i];
    if (!kinds.consume_front("-Werror") && !kinds.consume_front("--Werror")) return false;
    const bool isJoined = kinds.consume_front("=");
    if (!isJoined && (!kinds.empty() || !isWarningKind(next(i).split(',').first))) return false;
    if (!isJoined) kinds = arguments_[++i];
    std::optional<Strings> errors = warningsAsErrors(kinds);
    if (!errors && isJoined && !StringRef(arguments_[i]).starts_with("--")) return false;
    if (!errors) errors = Strings{("-Werror=" + kinds).str()};
    take(*errors,
         {"-Werror", "'-Werror=" + kinds.str() + "' is taken for clang's warnings", errors->empty()});
    return true;
  }

  // False on a mistake.
  bool takeOption(size_t& i) {
    std::string option = arguments_[i];
    bool tookNext = false;
    std::string spelled = withEqualsSign(option, next(i), tookNext);
    if (tookNext) option += " " + arguments_[++i];
    std::optional<StringRef> value;
    const NvccOption* row = findOption(spelled, hasSysroot_, dialect_, value);
    if (row == nullptr && dialect_ == OptionDialect::kNvcc) {
      spelled = withListsName(option);
      row = findOption(spelled, hasSysroot_, dialect_, value);
    }
    if (row == nullptr) {
      isHostQuery(option) ? result_.hostQueries.push_back(clangsQuery(option))
                          : result_.arguments.push_back(option);
      return true;
    }
    if (row->action == kRefuse) return refuse(option, *row);
    if (takesValue(*row) && !value) {
      if (i + 1 == arguments_.size()) {
        error_ = "'" + option + "' needs a value";
        return false;
      }
      value = arguments_[++i];
      option += " " + arguments_[i];
    }
    if (row->action == kOnly && *value != row->when) return refuse(option, *row);
    Strings replacement = replacementOf(*row, value.value_or(StringRef()));
    if (row->action == kWords) llvm::erase_if(replacement, isGccsAlone);
    const OptionNote note = noteOf(option, *row, replacement);
    if (row->action == kWords) takeQuestions(replacement);
    take(replacement, note);
    // These are clang's as well; only nvcc splits their values at commas.
    if (row->action == kLinker || (row->action == kClangsList && dialect_ == OptionDialect::kNvcc))
      result_.notes.pop_back();
    return true;
  }

  // Out of the arguments of the host's compiler.
  void takeQuestions(Strings& words) {
    for (const std::string& word : words)
      if (isQuestion(word)) result_.hostQueries.push_back(clangsQuery(word));
    llvm::erase_if(words, isQuestion);
  }

  bool refuse(const std::string& option, const NvccOption& row) {
    error_ = "'" + option + "' is an option of nvcc: " + row.becomes.str();
    return false;
  }

  const Strings& arguments_;
  const OptionDialect dialect_;
  NvccTranslation& result_;
  std::string& error_;
  const bool hasSysroot_;
};

}  // namespace

bool translateNvccOptions(const Strings& arguments, OptionDialect dialect, NvccTranslation& result,
                          std::string& error) {
  return Translator(arguments, dialect, result, error).translate();
}

}  // namespace musashim::mcc
