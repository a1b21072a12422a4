#include "mccl/perf/options.h"

#include <CLI/CLI.hpp>
#include <cstdlib>

#include "mccl/core/data_type.h"

namespace musashim::perf {
namespace {

std::string checkBytes(const std::string& text) {
  return parseBytes(text) > 0 || text == "0" ? "" : "not a size: " + text;
}

void addBytes(CLI::App& app, const std::string& name, size_t& bytes, const std::string& help) {
  app.add_option_function<std::string>(
         name, [&bytes](const std::string& text) { bytes = parseBytes(text); }, help)
      ->check(checkBytes);
}

const Operation kOperations[] = {{"sum", mcclSum}, {"prod", mcclProd}, {"max", mcclMax},
                                 {"min", mcclMin}, {"avg", mcclAvg},   {"mulsum", mcclSum, true}};

}  // namespace

size_t parseBytes(const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  const std::string unit = end;
  double scale = 0;
  if (unit.empty() || unit == "B") scale = 1;
  if (unit == "K" || unit == "k") scale = 1 << 10;
  if (unit == "M" || unit == "m") scale = 1 << 20;
  if (unit == "G" || unit == "g") scale = 1 << 30;
  return end == text.c_str() || number < 0 ? 0 : static_cast<size_t>(number * scale);
}

Options parseOptions(int argc, char** argv, const std::string& program) {
  Options o;
  CLI::App app("Times and checks a collective of libmccl.", program);
  app.add_option("-t,--nthreads", o.threads, "threads per process")->check(CLI::PositiveNumber);
  app.add_option("-g,--ngpus", o.devices, "devices per thread")->check(CLI::PositiveNumber);
  addBytes(app, "-b,--minbytes", o.minBytes, "smallest size, with K, M or G");
  addBytes(app, "-e,--maxbytes", o.maxBytes, "largest size");
  addBytes(app, "-i,--stepbytes", o.stepBytes, "step between sizes");
  app.add_option("-f,--stepfactor", o.stepFactor, "factor between sizes, instead of a step");
  app.add_option("-n,--iters", o.iterations, "timed calls per size")->check(CLI::NonNegativeNumber);
  app.add_option("-w,--warmup_iters", o.warmup, "calls before the timed ones")->check(CLI::NonNegativeNumber);
  app.add_option("-m,--agg_iters", o.aggregate, "collectives in one group call")->check(CLI::PositiveNumber);
  app.add_option("-N,--run_cycles", o.cycles, "runs over all sizes")->check(CLI::NonNegativeNumber);
  app.add_option("-p,--parallel_init", o.parallelInit, "1: threads make their communicators themselves");
  app.add_option("-c,--check", o.check, "checks of the results per size");
  app.add_option("-o,--op", o.operation, "sum, prod, max, min, avg, mulsum or all");
  app.add_option("-d,--datatype", o.type, "a type of elements, or all");
  app.add_option("-r,--root", o.root, "root, or all");
  app.add_option("-z,--blocking", o.blocking, "1: wait after each call");
  app.add_flag_function(
      "-y,--stream_null", [&](int64_t) { o.nullStream = true; }, "use the null stream");
  app.add_option("-T,--timeout", o.timeout, "seconds until a size is given up");
  app.add_option("-G,--cudagraph", o.graphs, "launches of a captured graph instead of calls");
  app.add_option("-C,--report_cputime", o.cpuTime, "1: time of the calls, not of the work");
  app.add_option("-a,--average", o.average, "of the ranks: 0 rank 0, 1 average, 2 minimum, 3 maximum");
  app.add_option("-R,--local_register", o.registration, "1: register the buffers, 2: as windows");
  app.add_option("-J,--output_file", o.json, "also write the table as JSON");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::exit(app.exit(error));
  }
  if (o.maxBytes < o.minBytes) o.maxBytes = o.minBytes;
  return o;
}

std::vector<Operation> operationsOf(const Options& options) {
  std::vector<Operation> chosen;
  for (const Operation& operation : kOperations) {
    if (options.operation == "all" || options.operation == operation.name) chosen.push_back(operation);
  }
  return chosen;
}

std::vector<mcclDataType_t> typesOf(const Options& options) {
  std::vector<mcclDataType_t> chosen;
  for (int type = 0; type < mcclNumTypes; ++type) {
    const auto one = static_cast<mcclDataType_t>(type);
    if (options.type == "all" || options.type == nameOf(one)) chosen.push_back(one);
  }
  return chosen;
}

std::vector<int> rootsOf(const Options& options, int ranks) {
  std::vector<int> roots;
  if (options.root == "all" || options.root == "-1") {
    for (int rank = 0; rank < ranks; ++rank) roots.push_back(rank);
    return roots;
  }
  const int root = std::atoi(options.root.c_str());
  if (root >= 0 && root < ranks) roots.push_back(root);
  return roots;
}

const char* nameOf(mcclDataType_t type) { return mccl::dataTypeName(type); }
size_t sizeOf(mcclDataType_t type) { return mccl::elementSize(type); }

}  // namespace musashim::perf
