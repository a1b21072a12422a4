#pragma once

// The data of mappings/build.yml, compiled in: what words of build files, scripts and Python become.

#include <cstdint>
#include <string_view>
#include <vector>

#include "translator/lib/names/table.h"

namespace musashim::translator {

struct BuildRow {
  std::string_view name;
  std::string_view becomes;  // empty: stays, and is reported with the advice
  Advice advice;
};

enum class BuildTable : std::uint8_t {
  Variables,
  CMakeWords,       // variables, properties, commands, imported targets, features
  CMakeBeginnings,  // of variables
  CMakePackages,
  CMakeModules,
  Libraries,
  Programs,
  PythonAttributes,
  PythonMethods,
  PythonMembers,
  PythonModules,
  ExtensionWords,  // keys of extra_compile_args
  Images,          // beginnings
  Packages,        // beginnings
  MesonWords,      // a function, or `language`, and a string that it is given
  BazelWords,      // repositories and rules
};

/// False for most words of which no row and no listed name is a beginning.
bool mayBeginRow(std::string_view word);
/// The row of that name; null if there is none.
const BuildRow* findRow(BuildTable table, std::string_view name);
/// The row of which the name is a beginning of `text`; null if there is none.
const BuildRow* findBeginning(BuildTable table, std::string_view text);

enum class BuildList : std::uint8_t { DeviceFunctions, DeviceWords, BackendFunctions, BackendWords };
bool isListed(BuildList list, std::string_view word);

enum class OptionAction : std::uint8_t {
  Drop,
  DropValue,     // with its value
  Words,         // the value is a list of options for the host compiler
  Linker,        // the value goes to the linker
  Architecture,  // the value names architectures
  Replace,
  BesideCompiler,  // as Replace, where the word before is the compiler's or the variable is for it
  Unported,
};

struct BuildOption {
  std::string_view name;  // without dashes; may hold a value: fmad=false
  OptionAction action;
  std::string_view becomes;
  Advice advice;
};

/// What becomes of nvcc's option of that name; null if it is none that changes.
const BuildOption* findOption(std::string_view name);

/// MUSA's architecture number (22) for NVIDIA's (86).
int musaArchitecture(int cuda);
/// All of them, the oldest first.
std::vector<int> musaArchitectures();

}  // namespace musashim::translator
