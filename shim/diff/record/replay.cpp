// Runs one recorded launch alone, with the inputs in this folder:
//
//   c++ -std=c++20 replay.cpp sketch.cpp -o replay -I$MUSA_PATH/include -L$MUSA_PATH/lib
//   -Wl,-rpath,$MUSA_PATH/lib -lmusa c++ -std=c++20 -DMUSASHIM_RECORD_CUDA replay.cpp -o replay
//   -I$CUDA_HOME/include -lcuda         on an NVIDIA machine
//   ./replay a|b
//
// `a` and `b` say whose kernel: the images are of the two runs, the inputs those of a. Its output goes to
// replayed.SIDE.NUMBER, and is compared with what both runs recorded, but for rounding. Ends with 0 if it is
// what that side recorded, 1 if not, 2 if the launch is not possible here.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "sketch.h"

#ifdef MUSASHIM_RECORD_CUDA
#include <cuda.h>
#define API(name) cu##name
#define TYPE(name) CU##name
#define ENUM(name) CU_##name
#else
#include <musa.h>
#define API(name) mu##name
#define TYPE(name) MU##name
#define ENUM(name) MU_##name
#endif

namespace {

constexpr unsigned long long kPointerMark = 0xa110ull << 48;

[[noreturn]] void stop(const std::string& what) {
  std::fprintf(stderr, "replay: %s\n", what.c_str());
  std::exit(2);
}

void check(int result, const char* call) {
  if (result != 0) stop(std::string(call) + " gives " + std::to_string(result));
}

std::string read(const std::string& path, bool needed) {
  std::ifstream file(path, std::ios::binary);
  if (!file && needed) stop("there is no " + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

struct Memory {
  TYPE(deviceptr) address = 0;
  size_t bytes = 0;
  std::string input;
};

void put(std::string& bytes, size_t at, unsigned long long word) {
  std::memcpy(bytes.data() + at, &word, sizeof word);
}

// How far elements may be apart: relative (max(|x|, |y|) + magnitude).
struct Rule {
  int other = 0;  // b's number of the allocation
  musashim::record::Type type = musashim::record::Type::kUnknown;
  double relative = 0, magnitude = 0;
};

// Whether the output is what a run recorded.
bool compare(const std::string& output, const std::string& name, const char* whose, const Rule& rule) {
  using namespace musashim::record;
  const std::string recorded = read(name, true);
  const size_t size = typeSize(rule.type), count = std::min(output.size(), recorded.size()) / size;
  size_t different = 0;
  for (size_t i = 0; i < count; ++i) {
    if (output.compare(i * size, size, recorded, i * size, size) == 0) continue;
    const double x = elementAt(output.data(), rule.type, i), y = elementAt(recorded.data(), rule.type, i);
    const double allowed = rule.relative * (std::max(std::abs(x), std::abs(y)) + rule.magnitude);
    if (!isFloat(rule.type) || !(std::abs(x - y) <= allowed)) ++different;
  }
  std::printf("  what %s recorded: %zu of %zu elements differ\n", whose, different, count);
  return different == 0;
}

}  // namespace

int main(int count, char** arguments) {
  const std::string side = count == 2 ? arguments[1] : "";
  if (side != "a" && side != "b") stop("usage: replay a|b");
  std::map<int, Memory> memory;
  std::map<int, Rule> rules;
  std::vector<std::string> values;
  std::map<std::string, std::string> kernels;
  unsigned grid[3] = {}, block[3] = {}, shared = 0;
#ifndef MUSASHIM_RECORD_CUDA
  setenv("MUSASHIM_CLEAR_SHARED", "1", 0);  // as under the recorder
#endif
  check(API(Init)(0), "Init");
  TYPE(device) device;
  TYPE(context) context;
  check(API(DeviceGet)(&device, 0), "DeviceGet");
  check(API(DevicePrimaryCtxRetain)(&context, device), "DevicePrimaryCtxRetain");
  check(API(CtxSetCurrent)(context), "CtxSetCurrent");
  const std::string image = read("image." + side, true);
  TYPE(module) module;
  check(API(ModuleLoadData)(&module, image.data()), "ModuleLoadData");

  std::ifstream launch("launch.txt");
  for (std::string line, word; std::getline(launch, line);) {
    std::istringstream in(line);
    in >> word;
    if (word == "grid") in >> grid[0] >> grid[1] >> grid[2];
    if (word == "block") in >> block[0] >> block[1] >> block[2];
    if (word == "shared") in >> shared;
    if (word == "kernel") {
      std::string whose;
      in >> whose >> kernels[whose];
    } else if (word == "allocation") {
      int id = 0;
      std::string kind, name;
      Memory one;
      in >> id >> one.bytes >> kind >> name;
      one.input = read("input." + std::to_string(id), true);
      if (kind == "variable") {
        if (API(ModuleGetGlobal)(&one.address, nullptr, module, name.c_str()) != 0) {
          std::printf("this side has no variable %s\n", name.c_str());
          continue;
        }
      } else {
        check(API(MemAlloc)(&one.address, one.bytes), "MemAlloc");
      }
      memory[id] = std::move(one);
    } else if (word == "pointer") {
      int id = 0, target = 0;
      size_t at = 0, offset = 0;
      in >> id >> at >> target >> offset;
      put(memory[id].input, at, memory[target].address + offset);
    } else if (word == "argument") {
      std::string hex, bytes;
      in >> hex;
      for (size_t i = 0; i + 1 < hex.size(); i += 2)
        bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
      values.push_back(std::move(bytes));
    } else if (word == "argument_pointer") {
      size_t argument = 0, at = 0, offset = 0;
      int target = 0;
      in >> argument >> at >> target >> offset;
      put(values.at(argument), at, memory[target].address + offset);
    } else if (word == "output") {
      int id = 0;
      std::string type;
      Rule rule;
      in >> id >> rule.other >> type >> rule.relative >> rule.magnitude;
      rule.type = musashim::record::typeOfName(type);
      rules[id] = rule;
    }
  }
  for (auto& [id, one] : memory)
    check(API(MemcpyHtoD)(one.address, one.input.data(), one.bytes), "MemcpyHtoD");
  TYPE(function) function;
  check(API(ModuleGetFunction)(&function, module, kernels[side].c_str()), "ModuleGetFunction");
  if (shared > 48 * 1024)
    check(API(FuncSetAttribute)(function, ENUM(FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES),
                                static_cast<int>(shared)),
          "FuncSetAttribute");
  std::vector<void*> pointers;
  for (std::string& value : values) pointers.push_back(value.data());
  check(API(LaunchKernel)(function, grid[0], grid[1], grid[2], block[0], block[1], block[2], shared, nullptr,
                          pointers.data(), nullptr),
        "LaunchKernel");
  check(API(CtxSynchronize)(), "CtxSynchronize");

  bool asOwn = true, asOther = true;
  for (auto& [id, one] : memory) {
    std::string output(one.bytes, '\0');
    check(API(MemcpyDtoH)(output.data(), one.address, one.bytes), "MemcpyDtoH");
    if (output == one.input) continue;
    // Addresses are other ones in each run.
    for (size_t at = 0; at + 8 <= output.size(); at += 8) {
      unsigned long long word;
      std::memcpy(&word, output.data() + at, 8);
      for (const auto& [other, target] : memory)
        if (word - target.address < target.bytes) put(output, at, kPointerMark | (word - target.address));
    }
    std::ofstream("replayed." + side + "." + std::to_string(id), std::ios::binary) << output;
    std::printf("allocation %d:\n", id);
    if (rules.count(id) == 0) continue;
    const Rule& rule = rules[id];
    const bool likeA = compare(output, "output.a." + std::to_string(id), "a", rule);
    const bool likeB = compare(output, "output.b." + std::to_string(rule.other), "b", rule);
    asOwn = asOwn && (side == "a" ? likeA : likeB);
    asOther = asOther && (side == "a" ? likeB : likeA);
  }
  if (asOwn || asOther) {
    std::printf("as %s recorded\n", asOwn ? side.c_str() : side == "a" ? "b" : "a");
    return asOwn ? 0 : 1;
  }
  std::printf(
      "as neither recorded: it depends on an order of threads, or magnifies what its inputs differ by\n");
  return 3;
}
