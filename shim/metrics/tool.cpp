#include "metrics/tool.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>

#include "metrics/budget.h"
#include "metrics/metrics.h"
#include "metrics/reports.h"

namespace musashim::metrics {
namespace {

constexpr const char* kHelp =
    "usage: musashim-prof metrics [options] [FILE]\n"
    "\n"
    "Reports what kernels of a program did that was compiled with mcc -fmusa-profile:\n"
    "active lanes, sectors of device memory, turns of shared memory, by source line,\n"
    "and what to do about it. FILE is what the program has written when it ended\n"
    "(MUSASHIM_METRICS_FILE); without it, musa_metrics.json.\n"
    "\n"
    "  --rows N             lines of a kernel's table (10)\n"
    "  --json               figures by kernel, as JSON\n"
    "  --html FILE          a page with sources and a roofline\n"
    "  --sarif FILE         the advice, for code review tools\n"
    "  --compare OLD.json   figures that differ from an earlier run's; exits with 1\n"
    "                       when one is worse by more than a hundredth\n"
    "  --budget FILE        exits with 1 when a kernel does not keep its limits\n";

int fail(const std::string& message) {
  std::fprintf(stderr, "musashim-prof: error: %s\n", message.c_str());
  return 2;
}

bool writeFile(const std::string& path, const std::string& text, std::string& error) {
  std::FILE* const out = std::fopen(path.c_str(), "w");
  bool written = out != nullptr && std::fwrite(text.data(), 1, text.size(), out) == text.size();
  if (out != nullptr) written = std::fclose(out) == 0 && written;
  if (!written) error = "cannot write '" + path + "': " + std::strerror(errno);
  return written;
}

struct Request {
  std::string file, html, sarif, before, budget;
  size_t rows = 10;
  bool json = false, help = false;
};

// The reason why not, or nothing.
std::optional<std::string> parse(int count, char** arguments, Request& request) {
  for (int i = 1; i < count; ++i) {
    const std::string argument = arguments[i];
    std::string* value = argument == "--html"      ? &request.html
                         : argument == "--sarif"   ? &request.sarif
                         : argument == "--compare" ? &request.before
                         : argument == "--budget"  ? &request.budget
                                                   : nullptr;
    if ((value != nullptr || argument == "--rows") && i + 1 == count)
      return "'" + argument + "' needs a value; try metrics --help";
    if (value != nullptr) {
      *value = arguments[++i];
    } else if (argument == "--rows") {
      request.rows = std::strtoul(arguments[++i], nullptr, 10);
      if (request.rows == 0)
        return "'--rows " + std::string(arguments[i]) + "': a number above 0 is expected";
    } else if (argument == "--json") {
      request.json = true;
    } else if (argument == "--help" || argument == "-h") {
      request.help = true;
    } else if (argument.starts_with("-")) {
      return "there is no option '" + argument + "'; try metrics --help";
    } else if (!request.file.empty()) {
      return "one file is reported at a time; --compare takes the other";
    } else {
      request.file = argument;
    }
  }
  if (request.file.empty()) request.file = "musa_metrics.json";
  return std::nullopt;
}

}  // namespace

int metricsMain(int count, char** arguments) {
  Request request;
  if (const auto problem = parse(count, arguments, request)) return fail(*problem);
  if (request.help) return std::fputs(kHelp, stdout), 0;
  Metrics metrics;
  std::string error, broken;
  if (!readMetrics(request.file, metrics, error)) return fail(error);
  if (!request.html.empty() && !writeFile(request.html, htmlOf(metrics), error)) return fail(error);
  if (!request.sarif.empty() && !writeFile(request.sarif, sarifOf(metrics), error)) return fail(error);
  bool worse = false;
  if (!request.before.empty()) {
    Metrics before;
    if (!readMetrics(request.before, before, error)) return fail(error);
    std::fputs(compare(before, metrics, worse).c_str(), stdout);
  }
  if (!request.budget.empty()) {
    if (!checkBudget(request.budget, metrics, broken, error)) return fail(error);
    std::fputs(broken.empty() ? "all limits are kept\n" : broken.c_str(), stdout);
  }
  if (request.json) std::fputs(jsonOf(metrics).c_str(), stdout);
  const bool asked =
      request.json || !(request.html + request.sarif + request.before + request.budget).empty();
  if (!asked) std::fputs(tablesOf(metrics, request.rows).c_str(), stdout);
  return worse || !broken.empty() ? 1 : 0;
}

}  // namespace musashim::metrics
