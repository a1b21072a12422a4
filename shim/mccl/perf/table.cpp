#include "mccl/perf/table.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>

namespace musashim::perf {
namespace {

std::string timeText(double microseconds) {
  if (microseconds >= 10000) return fmt::format("{:7.0f}", microseconds);
  return microseconds >= 100 ? fmt::format("{:7.1f}", microseconds) : fmt::format("{:7.2f}", microseconds);
}

std::string wrongText(int64_t wrong) { return wrong < 0 ? "N/A" : std::to_string(wrong); }

}  // namespace

Table::Table(const Options& options, const std::string& program, Processes& processes)
    : options_(options), program_(program), prints_(processes.rank() == 0) {
  if (!prints_) return;
  int version = 0;
  (void)mcclGetVersion(&version);
  fmt::print("# mccl-tests mccl-headers={} mccl-library={}\n", MCCL_VERSION_CODE, version);
  fmt::print("# Collective test starting: {}\n", program);
  fmt::print(
      "# nThread {} nGpus {} minBytes {} maxBytes {} step: {}({}) warmup iters: {} iters: {} agg iters: {} "
      "validation: {} graph: {} unalign: 0\n#\n",
      options.threads, options.devices, options.minBytes, options.maxBytes,
      options.stepFactor > 1 ? options.stepFactor : options.stepBytes,
      options.stepFactor > 1 ? "factor" : "bytes", options.warmup, options.iterations, options.aggregate,
      options.check, options.graphs);
}

void Table::devices(const std::vector<char>& lines) {
  if (!prints_) return;
  fmt::print("# Using devices\n");
  for (const char c : lines) {
    if (c != 0) std::putchar(c);
  }
}

void Table::header() {
  if (!prints_) return;
  const char* time = options_.cpuTime ? "cputime" : "time";
  fmt::print(
      "#\n# {:>10}  {:>12}  {:>8}  {:>6}  {:>6}           out-of-place                       in-place        "
      "  \n",
      "", "", "", "", "");
  fmt::print(
      "# {:>10}  {:>12}  {:>8}  {:>6}  {:>6}  {:>7}  {:>6}  {:>6}  {:>6}  {:>7}  {:>6}  {:>6}  {:>6}\n",
      "size", "count", "type", "redop", "root", time, "algbw", "busbw", "#wrong", time, "algbw", "busbw",
      "#wrong");
  fmt::print(
      "# {:>10}  {:>12}  {:>8}  {:>6}  {:>6}  {:>7}  {:>6}  {:>6}  {:>6}  {:>7}  {:>6}  {:>6}  {:>6}\n",
      "(B)", "(elements)", "", "", "", "(us)", "(GB/s)", "(GB/s)", "", "(us)", "(GB/s)", "(GB/s)", "");
}

void Table::half(const Result* result) {
  if (!result) {
    fmt::print("  {:>7}  {:>6}  {:>6}  {:>6}", "N/A", "N/A", "N/A", "N/A");
    return;
  }
  fmt::print("  {}  {:>6.2f}  {:>6.2f}  {:>6}", timeText(result->microseconds), result->algorithmBandwidth,
             result->busBandwidth, wrongText(result->wrong));
  busSum_ += result->busBandwidth;
  wrong_ += std::max<int64_t>(result->wrong, 0);
  ++rows_;
}

void Table::row(size_t bytes, size_t count, const char* type, const char* operation, int root,
                const Result& outOfPlace, const Result* inPlace) {
  if (!prints_) return;
  fmt::print("{:>12}  {:>12}  {:>8}  {:>6}  {:>6}", bytes, count, type, operation, root);
  half(&outOfPlace);
  half(inPlace);
  fmt::print("\n");
  std::fflush(stdout);
  const auto json = [](const Result& r) {
    return fmt::format(R"({{"time":{:.3f},"alg_bw":{:.4f},"bus_bw":{:.4f},"nwrong":"{}"}})", r.microseconds,
                       r.algorithmBandwidth, r.busBandwidth, wrongText(r.wrong));
  };
  json_.push_back(fmt::format(
      R"({{"size":{},"count":{},"type":"{}","redop":"{}","root":{},"out_of_place":{}{}}})", bytes, count,
      type, operation, root, json(outOfPlace), inPlace ? ",\"in_place\":" + json(*inPlace) : ""));
}

int Table::footer(int64_t errors) {
  if (!prints_) return errors == 0 ? 0 : 1;
  const double average = rows_ > 0 ? busSum_ / rows_ : 0;
  fmt::print(
      "# Out of bounds values : {} {}\n# Avg bus bandwidth    : {:g} \n#\n# Collective test concluded: {}\n",
      wrong_, wrong_ ? "FAILED" : "OK", average, program_);
  if (!options_.json.empty()) {
    std::ofstream(options_.json)
        << fmt::format(R"({{"test":"{}","results":[{}],"out_of_bounds":{},"average_bus_bandwidth":{:g}}})",
                       program_, fmt::join(json_, ","), wrong_, average)
        << "\n";
  }
  const char* wanted = std::getenv("MCCL_TESTS_MIN_BW");
  if (!wanted) wanted = std::getenv("NCCL_TESTS_MIN_BW");
  const bool slow = wanted && average < 0.9 * std::atof(wanted);
  return errors || wrong_ || slow ? 1 : 0;
}

}  // namespace musashim::perf
