// musashim-prof: what files of MUSASHIM_TRACE_FILE say, in tables, or several of them as one.
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "metrics/tool.h"
#include "timeline/json_file.h"
#include "timeline/read_json.h"
#include "timeline/summary.h"

namespace {

constexpr const char* kHelp =
    "usage: musashim-prof [--rows N] [-o MERGED.json] FILE...\n"
    "       musashim-prof metrics [options] [FILE]     (metrics --help)\n"
    "\n"
    "Prints a summary of traces that MUSASHIM_TRACE_FILE=FILE made: kernels, copies,\n"
    "calls, and how idle devices were. The files themselves open in Perfetto\n"
    "(ui.perfetto.dev) and in chrome://tracing.\n"
    "\n"
    "  --rows N        rows of a table (20)\n"
    "  -o MERGED.json  writes all files as one timeline, and prints nothing\n";

int fail(const std::string& message) {
  std::fprintf(stderr, "musashim-prof: error: %s\n", message.c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "metrics") == 0)
    return musashim::metrics::metricsMain(argc - 1, argv + 1);
  std::vector<std::string> files;
  std::string merged;
  size_t rows = 20;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--help" || argument == "-h") return std::fputs(kHelp, stdout), 0;
    const bool takesValue = argument == "--rows" || argument == "-o";
    if (takesValue && i + 1 == argc) return fail("'" + argument + "' needs a value; try --help");
    if (argument == "--rows") {
      rows = std::strtoul(argv[++i], nullptr, 10);
      if (rows == 0) return fail("'--rows " + std::string(argv[i]) + "': a number above 0 is expected");
    } else if (argument == "-o") {
      merged = argv[++i];
    } else if (argument.starts_with("-")) {
      return fail("there is no option '" + argument + "'; try --help");
    } else {
      files.push_back(argument);
    }
  }
  if (files.empty()) return fail("no file; try --help");
  musashim::timeline::Timeline all;
  std::string error;
  for (const std::string& file : files) {
    if (!musashim::timeline::readFile(file, all, error)) return fail(error);
  }
  if (merged.empty()) {
    std::fputs(musashim::timeline::summaryOf(all, rows).c_str(), stdout);
    return 0;
  }
  const std::string text = musashim::timeline::toJson(all);
  std::FILE* out = std::fopen(merged.c_str(), "w");
  if (out == nullptr) return fail("cannot write '" + merged + "': " + std::strerror(errno));
  const bool written = std::fwrite(text.data(), 1, text.size(), out) == text.size();
  return std::fclose(out) == 0 && written ? 0 : fail("cannot write '" + merged + "'");
}
