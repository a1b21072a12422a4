// musashim-diff: the first kernel of two runs that writes something else.
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "diff/tool/diff.h"
#include "diff/tool/extract.h"

namespace {

using namespace musashim;

constexpr const char* kHelp =
    "usage: musashim-diff [options] A B\n"
    "       musashim-diff record RUN [--keep all|N|N-M] [--limit MIB] PROGRAM [ARGUMENT...]\n"
    "\n"
    "Names the first kernel whose inputs agree in two recorded runs and whose output does\n"
    "not. Exits with 0 when the runs are the same but for rounding, 1 when they differ, 2\n"
    "when they cannot be compared.\n"
    "\n"
    "  --all            every event that differs, not the first alone\n"
    "  --json           the same as JSON\n"
    "  --tolerance X    X times what rounding is taken for (1)\n"
    "  --extract DIR    writes the first kernel that differs to DIR, with its inputs and a\n"
    "                   program that runs it alone\n"
    "  --event N        with --extract: event N of A instead\n"
    "\n"
    "record runs a program and writes what each of its kernels, copies and library calls\n"
    "leaves in device memory to the folder RUN. --keep keeps contents, of all events or of\n"
    "some, up to a limit of 1024 MiB; without it, hashes and sketches alone. Programs for\n"
    "CUDA are recorded on their machine: share/musashim/record/build_for_cuda builds the\n"
    "recorder there.\n";

int fail(const std::string& message) {
  std::fprintf(stderr, "musashim-diff: error: %s\n", message.c_str());
  return 2;
}

// The SDK that this program belongs to.
std::string sdkFolder() {
  std::error_code error;
  return std::filesystem::canonical("/proc/self/exe", error).parent_path().parent_path().string();
}

int recordRun(int count, char** arguments) {
  int at = 1;
  const auto take = [&](const char* name, const char* variable) {
    if (at + 1 >= count || std::strcmp(arguments[at], name) != 0) return false;
    setenv(variable, arguments[at + 1], 1);
    at += 2;
    return true;
  };
  if (at < count) setenv("MUSASHIM_RECORD", arguments[at++], 1);
  while (take("--keep", "MUSASHIM_RECORD_KEEP") || take("--limit", "MUSASHIM_RECORD_LIMIT")) {
  }
  if (at >= count) return fail("record needs a folder and a program; try --help");
  const std::string library = sdkFolder() + "/lib/musashim/libmusashim-record.so";
  if (access(library.c_str(), R_OK) != 0) return fail("there is no " + library);
  setenv("MUSASHIM_CLEAR_SHARED", "1", 0);  // a kernel extracted from the run does the same alone
  const char* before = std::getenv("LD_PRELOAD");
  setenv("LD_PRELOAD", (library + (before == nullptr ? "" : std::string(":") + before)).c_str(), 1);
  execvp(arguments[at], arguments + at);
  return fail(std::string("cannot run '") + arguments[at] + "': " + std::strerror(errno));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "record") == 0) return recordRun(argc - 1, argv + 1);
  std::vector<std::string> runs;
  std::string folder, number;
  double factor = 1;
  bool all = false, json = false;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--help" || argument == "-h") return std::fputs(kHelp, stdout), 0;
    const bool takesValue = argument == "--tolerance" || argument == "--extract" || argument == "--event";
    if (takesValue && i + 1 == argc) return fail("'" + argument + "' needs a value; try --help");
    if (argument == "--all") {
      all = true;
    } else if (argument == "--json") {
      json = true;
    } else if (argument == "--tolerance") {
      factor = std::strtod(argv[++i], nullptr);
      if (!(factor > 0))
        return fail("'--tolerance " + std::string(argv[i]) + "': a number above 0 is expected");
    } else if (argument == "--extract") {
      folder = argv[++i];
    } else if (argument == "--event") {
      number = argv[++i];
    } else if (argument.starts_with("-")) {
      return fail("there is no option '" + argument + "'; try --help");
    } else {
      runs.push_back(argument);
    }
  }
  if (runs.size() != 2) return fail("two runs are compared; try --help");
  diff::Run a, b;
  std::string error;
  if (!diff::readRun(runs[0], a, error) || !diff::readRun(runs[1], b, error)) return fail(error);
  const diff::Result result = diff::diff(a, b, factor);
  std::fputs((json ? diff::jsonOf(a, b, result) : diff::textOf(a, b, result, all)).c_str(), stdout);
  if (!folder.empty()) {
    const diff::Step* step = nullptr;
    for (const diff::Step& one : result.steps) {
      const bool wanted =
          number.empty() ? one.differs : one.pair.a && std::to_string(a.events[*one.pair.a].number) == number;
      if (wanted && step == nullptr) step = &one;
    }
    if (step == nullptr)
      return fail(number.empty() ? "there is no difference to extract; --event names a kernel"
                                 : "both runs have no event " + number);
    if (!diff::extract(a, b, *step, sdkFolder() + "/share/musashim/record", folder, error))
      return fail(error);
    if (!json)
      std::printf("%s/launch.txt and its inputs are written; replay.cpp there says how it is run\n",
                  folder.c_str());
  }
  return result.differences.empty() ? 0 : 1;
}
