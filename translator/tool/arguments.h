#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "translator/lib/options.h"

namespace musashim::translator {

enum class Mode {
  Write,
  InPlace,
  Diff,
  DryRun,
  Beside,  // FILE.mt beside each FILE, as musify-text makes them
  Show,    // the ported texts on standard output
};
enum class SummaryFormat { Text, Json, None };
enum class ReportFormat { Json, Sarif, Csv, Html };

/// A file of --report; its suffix says the format.
struct ReportFile {
  std::filesystem::path path;
  ReportFormat format;
};

struct Arguments {
  std::vector<std::filesystem::path> inputs;
  std::filesystem::path output;
  Mode mode = Mode::Write;
  std::filesystem::path backupFolder;
  bool backup = true;
  std::vector<std::string> excludes;
  SummaryFormat summary = SummaryFormat::Text;
  std::vector<ReportFile> reports;
  bool listUnported = false;
  bool force = false;
  bool update = false;
  bool strict = false;
  bool exitBySeverity = false;
  bool quiet = false;
  bool verbose = false;
  bool reverse = false;
  bool record = true;
  unsigned threads = 0;  // 0: as many as there are processors
  std::vector<std::filesystem::path> rules;
  bool cudaFace = false;     // the sources are only compiled, by the CUDA face
  bool asGiven = false;      // files keep their names, and are known by the paths that were given
  bool onlyRules = false;    // nothing but the rules counts, for words of any text
  bool tellChanges = false;  // each change is told
  bool semantic = false;
  std::filesystem::path compileCommands;        // file or its folder; empty: none
  std::vector<std::filesystem::path> includes;  // -I of the semantic pass
  std::filesystem::path musaPath;    // the SDK; empty: beside this program, or $MUSA_HOME, $MUSA_PATH
  std::vector<std::string> targets;  // names; empty: all
  unsigned sdk = 0;                  // 100 * major + 10 * minor; 0: the newest
  PortOptions port;

  /// Is every change told of, not only what is left?
  bool wantsAll() const;
  /// Standard input to standard output: the only input is "-".
  bool filters() const { return inputs.size() == 1 && inputs[0] == "-"; }
};

inline constexpr int kExitDone = 0;
inline constexpr int kExitUnported = 1;     // with --strict or --exit-by-severity only
inline constexpr int kExitError = 2;        // usage or input/output; nothing was written
inline constexpr int kExitNotPortable = 3;  // this and the next: with --exit-by-severity only
inline constexpr int kExitNoted = 4;
inline constexpr int kExitInterrupted = 130;

/// Parses the command line. Returns true to go on; otherwise `exitCode` is the answer and the text
/// (help, version or complaint) was printed.
bool parseArguments(int argc, char** argv, Arguments& arguments, int& exitCode);

}  // namespace musashim::translator
