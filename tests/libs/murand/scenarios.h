// Calls of a library with cuRAND's host API, by its names: ours, or cuRAND itself when their results are
// recorded.
#pragma once

#include <dlfcn.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace musashim::rand {

struct Scenario {
  int type, ordering;
  unsigned long long seed, offset;
  const char* calls;  // a letter and a count each, as in "u100 d20"; p has a lambda behind it: "p100:2.5"
  unsigned dimensions = 0;
};

constexpr Scenario kScenarios[] = {
    {101, 101, 0, 0, "u5 u100000 f77777 d30001 u3 d5 u60001 n20000 u100 m10002 u7"},
    {101, 103, 1234, 12345, "u70000 d10000 f3 p5000:3"},
    {101, 100, 0xfedcba9876543210, 1ull << 40, "u9000 l20000 p9000:5000 p3:5000 u4"},
    {101, 102, 77, 0, "u9000 d9000 n20 p9000:1999"},
    {101, 102, 0xffffffff, 5, "u5000"},
    {121, 101, 0, 0, "u100000 f77777 d170001 n20000 m10002 u7 p100000:20"},
    {121, 103, 99, 4097, "u9000 d5 f9000 n20 u7 p9000:3000 u1"},
    {121, 100, 0x123456789abcdef, 3, "d90000 u5"},
    {161, 101, 0, 0, "u300000 f77777 d170001 n20001 m10003 u7 p1000:20 u5"},
    {161, 103, 99, 262143, "d9 u9 d9 n7 m3 d5 f2"},
    {161, 100, 0x123456789abcdef, 1ull << 45, "u9 p1000:0.5 p1000:100 p1000:400000 l9 k9"},
    {201, 201, 0, 0, "u1000 f1000 d1000 n100 m100 p1000:3 p1000:20 p1000:5000 u5", 1},
    {201, 201, 0, 12345, "u100000 d200000 f100000", 20000},
    {201, 201, 0, 4294967290, "u30", 3},
    {203, 201, 0, 0, "w1000 f1000 d1000 n100 m100 p1000:0.5 p1000:20 p1000:5000 w5", 1},
    {203, 201, 0, 1ull << 40, "w100000 d200000 f100000", 20000},
    {202, 201, 0, 0, "u1000 f1000 d1000 n100 m100 p1000:3 p1000:20 p1000:5000 u5", 1},
    {202, 201, 0, 12345, "u100000 d200000 f100000", 20000},
    {202, 201, 0, 4294967290, "u30", 3},
    {204, 201, 0, 0, "w1000 f1000 d1000 n100 m100 p1000:0.5 p1000:20 p1000:5000 w5", 1},
    {204, 201, 0, 1ull << 40, "w100000 d200000 f100000", 20000},
};

class Library {
 public:
  Library(void* handle, std::string prefix) : handle_(handle), prefix_(std::move(prefix)) {}

  template <class... Args>
  int call(const std::string& name, Args... args) const {
    return reinterpret_cast<int (*)(Args...)>(dlsym(handle_, (prefix_ + name).c_str()))(args...);
  }

 private:
  void* handle_;
  std::string prefix_;
};

struct Outcome {
  int status = 0;
  std::uint64_t hash = 14695981039346656037u;  // FNV-1a of the bytes
  double first = 0, last = 0;
};

template <class T, class Call>
Outcome made(std::size_t count, Call call) {
  std::vector<T> out(count);
  Outcome outcome;
  outcome.status = call(out.data());
  for (const T& value : out) {
    unsigned char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    for (const unsigned char byte : bytes) outcome.hash = (outcome.hash ^ byte) * 1099511628211u;
  }
  outcome.first = double(out.front());
  outcome.last = double(out.back());
  return outcome;
}

inline Outcome callOnce(const Library& library, void* generator, const std::string& call) {
  const std::size_t count = std::stoul(call.substr(1));
  const std::size_t colon = call.find(':');
  const double lambda = colon == std::string::npos ? 0 : std::stod(call.substr(colon + 1));
  switch (call[0]) {
    case 'u':
      return made<unsigned>(count,
                            [&](unsigned* out) { return library.call("Generate", generator, out, count); });
    case 'w':
      return made<unsigned long long>(count, [&](unsigned long long* out) {
        return library.call("GenerateLongLong", generator, out, count);
      });
    case 'f':
      return made<float>(count,
                         [&](float* out) { return library.call("GenerateUniform", generator, out, count); });
    case 'd':
      return made<double>(
          count, [&](double* out) { return library.call("GenerateUniformDouble", generator, out, count); });
    case 'n':
      return made<float>(count, [&](float* out) {
        return library.call("GenerateNormal", generator, out, count, 1.0f, 2.0f);
      });
    case 'm':
      return made<double>(count, [&](double* out) {
        return library.call("GenerateNormalDouble", generator, out, count, 1.0, 2.0);
      });
    case 'l':
      return made<float>(count, [&](float* out) {
        return library.call("GenerateLogNormal", generator, out, count, 0.5f, 0.25f);
      });
    case 'k':
      return made<double>(count, [&](double* out) {
        return library.call("GenerateLogNormalDouble", generator, out, count, 0.5, 0.25);
      });
    default:
      return made<unsigned>(count, [&](unsigned* out) {
        return library.call("GeneratePoisson", generator, out, count, lambda);
      });
  }
}

// The outcome of each call of the scenario. Calls before the numbers count as failures of the first.
inline std::vector<std::pair<std::string, Outcome>> play(const Library& library, const Scenario& scenario) {
  void* generator = nullptr;
  std::vector<std::pair<std::string, Outcome>> outcomes;
  int status = library.call("CreateGeneratorHost", &generator, scenario.type);
  if (status == 0) status = library.call("SetGeneratorOrdering", generator, scenario.ordering);
  if (status == 0 && scenario.dimensions == 0)
    status = library.call("SetPseudoRandomGeneratorSeed", generator, scenario.seed);
  if (status == 0 && scenario.dimensions != 0)
    status = library.call("SetQuasiRandomGeneratorDimensions", generator, scenario.dimensions);
  if (status == 0) status = library.call("SetGeneratorOffset", generator, scenario.offset);
  if (status != 0) return {{"set-up", Outcome{status, 0, 0, 0}}};
  std::string calls = scenario.calls;
  while (!calls.empty()) {
    const std::size_t space = calls.find(' ');
    const std::string call = calls.substr(0, space);
    calls = space == std::string::npos ? "" : calls.substr(space + 1);
    outcomes.emplace_back(call, callOnce(library, generator, call));
  }
  library.call("DestroyGenerator", generator);
  return outcomes;
}

}  // namespace musashim::rand
