// The command line: nccl-tests' options.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "mccl.h"

namespace musashim::perf {

struct Operation {
  std::string name;
  mcclRedOp_t op;
  bool scaled = false;  // PreMulSum: `op` is made per communicator
};

struct Options {
  int threads = 1;
  int devices = 1;  // per thread
  size_t minBytes = 32 << 20, maxBytes = 32 << 20;
  size_t stepBytes = 1 << 20, stepFactor = 1;  // factor 1: steps of bytes
  int iterations = 20, warmup = 1, aggregate = 1, cycles = 1;
  int check = 1, blocking = 0, graphs = 0, average = 1, registration = 0, parallelInit = 0;
  bool cpuTime = false, nullStream = false;
  int timeout = 0;  // seconds; 0: none
  std::string operation = "sum", type = "float", root = "0";
  std::string json;
};

// Exits after --help and after a mistake.
Options parseOptions(int argc, char** argv, const std::string& program);

// "64M" in bytes; 0 when it is no size.
size_t parseBytes(const std::string& text);

std::vector<Operation> operationsOf(const Options& options);  // empty: unknown name
std::vector<mcclDataType_t> typesOf(const Options& options);  // empty: unknown name
std::vector<int> rootsOf(const Options& options, int ranks);  // empty: out of range
const char* nameOf(mcclDataType_t type);
size_t sizeOf(mcclDataType_t type);

}  // namespace musashim::perf
