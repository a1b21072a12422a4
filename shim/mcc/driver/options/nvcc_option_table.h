// What becomes of each of nvcc's options, as data.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace musashim::mcc {

enum class NvccAction {
  kMet,         // left out: what it asks for is so anyway
  kMetValue,    // the same, with a value
  kDrop,        // left out, although it asks for something
  kDropValue,   // the same, with a value
  kReplace,     // taken as `becomes`
  kPrefix,      // `becomes` and the value are one argument
  kList,        // the same for each value of a list with commas
  kClangsList,  // the same, where nvcc's `=` or long name tells it from clang's option
  kClangs,      // kPrefix, told apart so
  kSwitch,      // taken as `becomes` where the value says `when`; else it is so anyway
  kOnly,        // so anyway where the value says `when`; else refused
  kWords,       // the value is a list of arguments
  kWordsWith,   // the same, each behind `becomes`
  kLinker,
  kArch,
  kRefuse,
};

// Whose the short name is: of both, or nvcc's where mcc is called nvcc and clang's, with another meaning,
// elsewhere.
enum class ShortName { kOfBoth, kNvccs };

struct NvccOption {
  llvm::StringRef name;       // without dashes; empty for those with a short name only
  llvm::StringRef shortName;  // empty for those without, or whose short name means the same to clang
  NvccAction action;
  llvm::StringRef becomes;  // or why it is left out or refused
  llvm::StringRef when = {};
  ShortName shortNameIs = ShortName::kOfBoth;
};

llvm::ArrayRef<NvccOption> nvccOptions();

bool takesValue(const NvccOption& option);

// An option of gcc's optimizer that changes how fast code is and not what it does. Clang may know it, too.
bool isGccsOptimization(llvm::StringRef argument);

}  // namespace musashim::mcc
