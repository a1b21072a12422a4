// The program of one kernel in one variant, driven by ./run over its standard input and output:
//   PROGRAM --size check|quick|full [--check]
//   "verify"     -> "ok ERROR" or "wrong ERROR"   one run from fresh inputs, compared with the reference;
//                                                 ERROR is in units of the tolerance
//   "run N"      -> "NANOSECONDS"                 N runs, with the wait for the last one
//   "quit" or end of input ends the program.
// With --check it verifies once and its exit status says the result.
//
// A Problem makes the inputs and judges results:
//   explicit Problem(bench::Size); using Output = ...; size_t outputCount() const;
//   double error(const Output* got) const;        against a reference in higher precision; <= 1 is correct
//   template <template <class> class Memory> struct Data, the arrays in any kind of memory:
//     explicit Data(const Problem&); void reset(); void result(Output* out);
// A variant adds run(int times), which returns when the last run is done; BENCH_HOST below makes one
// of a function on host memory, musa.h and opencl.h have theirs.
#pragma once

#include <chrono>
#include <cstdio>
#include <cstring>
#include <string>

#include "support.h"

namespace bench {

template <class Problem, class Implementation>
double verify(const Problem& problem, Implementation& implementation) {
  Buffer<typename Problem::Output> out(problem.outputCount());
  implementation.reset();
  implementation.run(1);
  implementation.result(out.data());
  return problem.error(out.data());
}

template <class Implementation>
double nanoseconds(Implementation& implementation, int times) {
  const auto start = std::chrono::steady_clock::now();
  implementation.run(times);
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
}

// False when the arguments are not understood.
inline bool parse(int argc, char** argv, Size& size, bool& checkOnly) {
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--check") {
      checkOnly = true;
    } else if (argument == "--size" && i + 1 < argc) {
      const std::string value = argv[++i];
      if (value != "check" && value != "quick" && value != "full") return false;
      size = value == "check" ? Size::kCheck : value == "quick" ? Size::kQuick : Size::kFull;
    } else {
      return false;
    }
  }
  return true;
}

template <class Problem, class Implementation>
int serve(int argc, char** argv) {
  Size size = Size::kCheck;
  bool checkOnly = false;
  if (!parse(argc, argv, size, checkOnly)) {
    std::fprintf(stderr, "usage: %s [--size check|quick|full] [--check]\n", argv[0]);
    return 2;
  }
  const Problem problem(size);
  Implementation implementation(problem);
  if (checkOnly) {
    const double error = verify(problem, implementation);
    std::printf("%s: largest error is %.3g of the tolerance\n", error <= 1 ? "ok" : "WRONG", error);
    return error <= 1 ? 0 : 1;
  }
  char line[64];
  while (std::fgets(line, sizeof line, stdin) && std::strncmp(line, "quit", 4) != 0) {
    int times = 0;
    if (std::strncmp(line, "verify", 6) == 0) {
      const double error = verify(problem, implementation);
      std::printf("%s %.3g\n", error <= 1 ? "ok" : "wrong", error);
    } else if (std::sscanf(line, "run %d", &times) == 1 && times > 0) {
      std::printf("%.0f\n", nanoseconds(implementation, times));
    } else {
      std::fprintf(stderr, "unknown command: %s", line);
      return 2;
    }
    std::fflush(stdout);
  }
  return 0;
}

// A variant whose run is the function `once`.
template <class Problem, auto once>
struct HostVariant : Problem::template Data<Buffer> {
  explicit HostVariant(const Problem& p) : Problem::template Data<Buffer>(p), problem(p) {}
  void run(int times) {
    for (int i = 0; i < times; ++i) once(problem, *this);
  }
  const Problem& problem;
};

}  // namespace bench

#define BENCH_MAIN(Problem, Implementation) \
  int main(int argc, char** argv) { return bench::serve<Problem, Implementation>(argc, argv); }

// The program whose run is `void once(const Problem&, Problem::Data<bench::Buffer>&)`.
#define BENCH_HOST(Problem, once)                         \
  using BenchVariant = bench::HostVariant<Problem, once>; \
  BENCH_MAIN(Problem, BenchVariant)
