// Writes recorded.inc: what a library with cuRAND's host API gives for the scenarios. Not part of the build:
//   clang++ -std=c++20 record.cpp -o record -ldl && ./record libcurand.so.10 curand >recorded.inc
#include <cstdio>

#include "scenarios.h"

int main(int argc, char** argv) {
  using namespace musashim::rand;
  if (argc != 3) return std::fprintf(stderr, "record LIBRARY PREFIX\n"), 2;
  void* const handle = dlopen(argv[1], RTLD_NOW);
  if (handle == nullptr) return std::fprintf(stderr, "%s\n", dlerror()), 1;
  const Library library(handle, argv[2]);
  std::puts("// Made by record.cpp of libcurand 10.4; do not edit.");
  for (const Scenario& scenario : kScenarios)
    for (const auto& [call, outcome] : play(library, scenario))
      std::printf("{\"%s\", {%d, 0x%016llxu, %.17g, %.17g}},\n", call.c_str(), outcome.status,
                  static_cast<unsigned long long>(outcome.hash), outcome.first, outcome.last);
}
