#include "nvcc_options.h"

#include <optional>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

namespace musashim::mcc {
namespace {

using llvm::StringRef;
using Strings = std::vector<std::string>;

// What becomes of an option. kPrefix: `becomes` and the value are one argument. kSwitch: `becomes` where
// the value says `when`, else nothing. kWords: the value is a list of arguments.
enum class Action { kDrop, kDropValue, kReplace, kPrefix, kSwitch, kWords, kLinker, kArch, kRefuse };

struct Row {
  StringRef name;       // without dashes
  StringRef shortName;  // the same with one dash, if it has one
  Action action;
  StringRef becomes;
  StringRef when = {};
};

constexpr StringRef kImages = "images are made for the architectures that --offload-arch names";
constexpr StringRef kNoPtx = "there is no PTX assembler";

// In the order of nvcc's manual. Options that mean the same to clang are not here.
constexpr Row kRows[] = {
    {"output-file", "", Action::kPrefix, "-o"},
    {"output-directory", "odir", Action::kPrefix, "--musa-output-directory="},
    {"pre-include", "", Action::kPrefix, "-include"},
    {"library", "", Action::kPrefix, "-l"},
    {"define-macro", "", Action::kPrefix, "-D"},
    {"undefine-macro", "", Action::kPrefix, "-U"},
    {"include-path", "", Action::kPrefix, "-I"},
    {"system-include", "", Action::kPrefix, "-isystem"},
    {"library-path", "", Action::kPrefix, "-L"},
    {"cudart", "cudart", Action::kDropValue, "the link has -lmusart where it is needed"},
    {"compiler-bindir", "ccbin", Action::kDropValue, "mcc compiles host code itself"},
    {"allow-unsupported-compiler", "allow-unsupported-compiler", Action::kDrop,
     "mcc compiles host code itself"},
    {"ptx", "ptx", Action::kReplace, "--musa-device-only"},
    {"cubin", "cubin", Action::kReplace, "--musa-device-only"},
    {"fatbin", "fatbin", Action::kReplace, "--musa-device-only"},
    {"std", "std", Action::kPrefix, "-std="},
    {"profile", "", Action::kReplace, "-pg"},
    {"device-debug", "G", Action::kReplace, "-g"},
    {"generate-line-info", "lineinfo", Action::kReplace, "-gline-tables-only"},
    {"optimize", "", Action::kPrefix, "-O"},
    {"dopt", "dopt", Action::kDropValue, "device code has -O3 unless -O says otherwise"},
    {"machine", "", Action::kPrefix, "-m"},
    {"compiler-options", "Xcompiler", Action::kWords, ""},
    {"linker-options", "Xlinker", Action::kLinker, ""},
    {"ptxas-options", "Xptxas", Action::kDropValue, kNoPtx},
    {"nvlink-options", "Xnvlink", Action::kDropValue, "mcc links device code itself"},
    {"archive-options", "Xarchive", Action::kDropValue, "mcc makes no libraries"},
    {"", "Xcudafe", Action::kDropValue, "the frontend is clang's"},
    {"", "Xfatbin", Action::kDropValue, kImages},
    {"extended-lambda", "extended-lambda", Action::kDrop, "device lambdas need no option"},
    {"expt-extended-lambda", "expt-extended-lambda", Action::kDrop, "device lambdas need no option"},
    {"expt-relaxed-constexpr", "expt-relaxed-constexpr", Action::kDrop,
     "constexpr functions are usable on the device"},
    {"threads", "t", Action::kDropValue, "architectures are compiled one after another"},
    {"split-compile", "split-compile", Action::kDropValue, "a file is compiled by one process"},
    {"keep", "keep", Action::kReplace, "--save-temps"},
    {"keep-dir", "keep-dir", Action::kDropValue, "what --save-temps keeps is beside the output"},
    {"gpu-architecture", "arch", Action::kArch, ""},
    {"gpu-code", "code", Action::kArch, ""},
    {"generate-code", "gencode", Action::kArch, ""},
    {"list-gpu-arch", "arch-ls", Action::kReplace, "--musa-list-architectures"},
    {"list-gpu-code", "code-ls", Action::kReplace, "--musa-list-architectures"},
    {"maxrregcount", "maxrregcount", Action::kDropValue, "there are no registers to share"},
    {"use_fast_math", "use_fast_math", Action::kReplace, "-fmusa-flush-denormals-to-zero"},
    {"ftz", "ftz", Action::kSwitch, "-fmusa-flush-denormals-to-zero", "true"},
    {"prec-div", "prec-div", Action::kDropValue, "divisions are exact"},
    {"prec-sqrt", "prec-sqrt", Action::kDropValue, "square roots are exact"},
    {"fmad", "fmad", Action::kSwitch, "-ffp-contract=off", "false"},
    {"extra-device-vectorization", "extra-device-vectorization", Action::kDrop, "that is done anyway"},
    {"default-stream", "default-stream", Action::kPrefix, "-fdefault-stream="},
    {"device-link-time-opt", "dlto", Action::kDrop, "-rdc=true alone does so"},
    {"restrict", "restrict", Action::kDrop, "pointers are not assumed to be restrict"},
    {"disable-warnings", "", Action::kReplace, "-w"},
    {"source-in-ptx", "src-in-ptx", Action::kDrop, kNoPtx},
    {"resource-usage", "res-usage", Action::kDrop, kNoPtx},
    {"diag-suppress", "diag-suppress", Action::kDropValue, "the number is not one of clang's"},
    {"diag-warn", "diag-warn", Action::kDropValue, "the number is not one of clang's"},
    {"diag-error", "diag-error", Action::kDropValue, "the number is not one of clang's"},
    {"Werror", "", Action::kDropValue, "the kinds of nvcc's warnings are not clang's"},
    {"display-error-number", "err-no", Action::kDrop, "clang's warnings have names"},
    {"no-display-error-number", "no-err-no", Action::kDrop, "clang's warnings have names"},
    {"forward-unknown-to-host-compiler", "forward-unknown-to-host-compiler", Action::kDrop,
     "mcc is the host compiler"},
    {"forward-unknown-opts", "forward-unknown-opts", Action::kDrop, "mcc is the host compiler"},
    {"forward-slash-prefix-opts", "forward-slash-prefix-opts", Action::kDrop, "mcc is the host compiler"},
    {"", "Wno-deprecated-gpu-targets", Action::kDrop, kImages},
    {"lib", "lib", Action::kRefuse, "make libraries with 'ar rcs LIBRARY OBJECT...'"},
    {"run", "run", Action::kRefuse, "start the program by its name"},
};

bool takesValue(const Row& row) {
  switch (row.action) {
    case Action::kDrop:
    case Action::kReplace:
    case Action::kRefuse:
      return false;
    default:
      return true;
  }
}

// nvcc's -t4 is its -t=4.
std::string withEqualsSign(const std::string& argument) {
  StringRef number = argument;
  const bool isThreads = number.consume_front("-t") && !number.empty() && llvm::all_of(number, llvm::isDigit);
  return isThreads ? "-t=" + number.str() : argument;
}

// The row of an argument, and its value where that is part of it (--name=value, -name=value).
const Row* findRow(StringRef argument, std::optional<StringRef>& joined) {
  if (!argument.consume_front("-")) return nullptr;
  const bool isLong = argument.consume_front("-");
  const auto [name, value] = argument.split('=');
  const bool hasValue = name.size() != argument.size();
  for (const Row& row : kRows) {
    if (name.empty() || name != (isLong ? row.name : row.shortName)) continue;
    if (hasValue && !takesValue(row)) return nullptr;
    // Clang knows -std=c++17 and the like itself.
    if (row.action == Action::kPrefix && row.becomes == ("-" + name + "=").str() && hasValue) return nullptr;
    if (hasValue) joined = value;
    return &row;
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

// -Werror=cross-execution-space-call,reorder: what clang has of these kinds, and nothing when none is nvcc's.
std::optional<Strings> warningsAsErrors(StringRef argument) {
  if (!argument.consume_front("-Werror=")) return std::nullopt;
  llvm::SmallVector<StringRef, 4> kinds;
  argument.split(kinds, ',');
  const auto isNvccs = [](StringRef kind) { return isWarningKind(kind) && !isClangsWarningKind(kind); };
  if (llvm::none_of(kinds, isNvccs)) return std::nullopt;
  Strings result;
  for (const StringRef kind : kinds) {
    if (kind == "all-warnings") result.push_back("-Werror");
    if (!isNvccs(kind)) result.push_back(("-Werror=" + kind).str());
  }
  return result;
}

// The arguments of -Xcompiler: separated by commas, or by blanks within one word of the shell.
Strings wordsOf(StringRef list) {
  Strings words;
  llvm::SmallVector<StringRef, 4> parts;
  llvm::SplitString(list, parts, ", \t");
  for (StringRef part : parts) words.push_back(part.trim("\"'").str());
  return words;
}

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

Strings replacementOf(const Row& row, StringRef value) {
  switch (row.action) {
    case Action::kReplace:
      return {row.becomes.str()};
    case Action::kPrefix:
      return {(row.becomes + value).str()};
    case Action::kSwitch:
      return value == row.when ? Strings{row.becomes.str()} : Strings{};
    case Action::kWords:
      return wordsOf(value);
    case Action::kLinker:
      return {("-Wl," + value).str()};
    case Action::kArch:
      return archArguments(value);
    default:
      return {};
  }
}

StringRef reasonToDrop(const Row& row) {
  if (row.action == Action::kArch) return kImages;
  if (row.action == Action::kSwitch) return "that is so anyway";
  return row.becomes;
}

std::string noteOf(const std::string& option, const Row& row, const Strings& replacement) {
  if (replacement.empty()) return "'" + option + "' is left out (" + reasonToDrop(row).str() + ")";
  return "'" + option + "' is taken as '" + llvm::join(replacement, " ") + "'";
}

// Libraries of CUDA's that the SDK has under its own name.
std::optional<StringRef> libraryOf(StringRef argument) {
  if (argument == "-lcudart" || argument == "-lcudart_static") return StringRef("-lmusart");
  if (argument == "-lcuda") return StringRef("-lmusa");
  if (argument == "-lnccl" || argument == "-lnccl_static") return StringRef("-lmccl");
  if (argument == "-lcudadevrt") return StringRef();
  return std::nullopt;
}

}  // namespace

bool translateNvccOptions(const Strings& arguments, NvccTranslation& result, std::string& error) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    std::string option = arguments[i];
    if (const std::optional<StringRef> library = libraryOf(option)) {
      if (!library->empty()) result.arguments.push_back(library->str());
      result.notes.push_back(library->empty() ? "'" + option + "' is left out (musart has it all)"
                                              : "'" + option + "' is taken as '" + library->str() + "'");
      continue;
    }
    if (option == "-Werror" && i + 1 < arguments.size() && isWarningKind(arguments[i + 1])) {
      if (arguments[++i] == "all-warnings") result.arguments.push_back(option);
      result.notes.push_back("'-Werror " + arguments[i] + "' is taken for clang's warnings");
      continue;
    }
    if (const std::optional<Strings> errors = warningsAsErrors(option)) {
      result.arguments.insert(result.arguments.end(), errors->begin(), errors->end());
      result.notes.push_back("'" + option + "' is taken for clang's warnings");
      continue;
    }
    std::optional<StringRef> value;
    const std::string spelled = withEqualsSign(arguments[i]);
    const Row* row = findRow(spelled, value);
    if (row == nullptr) {
      result.arguments.push_back(option);
      continue;
    }
    if (row->action == Action::kRefuse) {
      error = "'" + option + "' is an option of nvcc: " + row->becomes.str();
      return false;
    }
    if (takesValue(*row) && !value) {
      if (++i == arguments.size()) {
        error = "'" + option + "' needs a value";
        return false;
      }
      value = arguments[i];
      option += " " + arguments[i];
    }
    const Strings replacement = replacementOf(*row, value.value_or(StringRef()));
    result.arguments.insert(result.arguments.end(), replacement.begin(), replacement.end());
    // -Xlinker is clang's as well; only nvcc splits its value at commas.
    if (row->action != Action::kLinker) result.notes.push_back(noteOf(option, *row, replacement));
  }
  return true;
}

}  // namespace musashim::mcc
