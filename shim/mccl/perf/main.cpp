// One source for all programs: the file's name says which.
#include <cstdio>

#include "mccl/perf/run.h"

using namespace musashim::perf;

int main(int argc, char** argv) {
  const std::string program = PERF_PROGRAM;
  const Collective* collective = collectiveOf(program);
  const Options options = parseOptions(argc, argv, program);
  if (!collective || typesOf(options).empty() || operationsOf(options).empty()) {
    std::fprintf(stderr, "%s: unknown type or operation; see --help\n", program.c_str());
    return 1;
  }
  Processes processes;
  const int ranks = options.threads * options.devices * processes.size();
  if (rootsOf(options, ranks).empty() && collective->rooted) {
    std::fprintf(stderr, "%s: there is no such root\n", program.c_str());
    return 1;
  }
  if (program == "hypercube_perf" && (ranks & (ranks - 1)) != 0) {
    std::fprintf(stderr, "%s: the number of ranks must be a power of two\n", program.c_str());
    return 1;
  }
  Table table(options, program, processes);
  Run run(options, *collective, processes);
  const int64_t errors = run.go(table);
  return table.footer(errors);
}
