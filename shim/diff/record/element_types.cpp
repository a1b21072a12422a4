// What the elements of memory are: by signatures of kernels, or by what content looks like.
#include <algorithm>
#include <cstring>

#include "sketch.h"

namespace musashim::record {

std::vector<std::string> parametersOf(const std::string& demangled) {
  // The list is the last group of parentheses outside of others.
  int level = 0;
  size_t end = demangled.rfind(')');
  if (end == std::string::npos) return {};
  size_t begin = end;
  for (;; --begin) {
    level += demangled[begin] == ')' ? 1 : demangled[begin] == '(' ? -1 : 0;
    if (level == 0 || begin == 0) break;
  }
  std::vector<std::string> parameters;
  std::string one;
  level = 0;
  for (size_t i = begin + 1; i < end; ++i) {
    const char letter = demangled[i];
    if (letter == '<' || letter == '(' || letter == '[') ++level;
    if (letter == '>' || letter == ')' || letter == ']') --level;
    if (letter == ',' && level == 0) {
      parameters.push_back(one);
      one.clear();
    } else if (letter != ' ' || !one.empty()) {
      one += letter;
    }
  }
  if (!one.empty() && one != "void") parameters.push_back(one);
  return parameters;
}

Type pointedType(const std::string& parameter) {
  std::string word = parameter;
  for (const char* qualifier : {"const", "volatile", "__restrict__", "__restrict", "restrict"})
    for (size_t at; (at = word.find(std::string(" ") + qualifier)) != std::string::npos;)
      word.erase(at, 1 + std::strlen(qualifier));
  if (word.empty() || word.back() != '*') return Type::kUnknown;
  word.pop_back();
  while (!word.empty() && word.back() == ' ') word.pop_back();
  if (const size_t scope = word.rfind("::");
      scope != std::string::npos && word.find('<') == std::string::npos)
    word.erase(0, scope + 2);
  const std::string vector =
      !word.empty() && std::strchr("1234", word.back()) != nullptr ? word.substr(0, word.size() - 1) : word;
  for (const char* name : {"float", "HIP_vector_type<float, 1u>", "HIP_vector_type<float, 2u>",
                           "HIP_vector_type<float, 3u>", "HIP_vector_type<float, 4u>"})
    if (word == name || vector == name) return Type::kF32;
  if (vector == "double") return Type::kF64;
  if (word == "__half" || word == "__half2" || word == "half" || word == "half2") return Type::kF16;
  if (word.find("bfloat16") != std::string::npos) return Type::kBF16;
  if (word == "int" || word == "unsigned int" || vector == "uint" || vector == "int") return Type::kI32;
  if (word == "long" || word == "unsigned long" || word == "long long" || word == "unsigned long long")
    return Type::kI64;
  if (word == "short" || word == "unsigned short" || vector == "ushort" || vector == "short")
    return Type::kI16;
  if (word == "char" || word == "unsigned char" || word == "signed char" || word == "bool" ||
      vector == "uchar" || vector == "char")
    return Type::kI8;
  return Type::kUnknown;
}

Type guessType(const void* data, size_t bytes) {
  // The share of words that are not 0 whose exponent is that of usual numbers, [2^-40, 2^40).
  const auto* at = static_cast<const unsigned char*>(data);
  constexpr size_t kLooked = 16384;
  const auto share = [&](size_t size, auto usual) {
    const size_t words = bytes / size, step = std::max<size_t>(1, words / kLooked);
    size_t good = 0, all = 0;
    for (size_t i = 0; i < words; i += step) {
      uint64_t word = 0;
      std::memcpy(&word, at + i * size, size);
      if (word == 0) continue;
      ++all;
      good += usual(word);
    }
    return all == 0 ? 0.0 : static_cast<double>(good) / static_cast<double>(all);
  };
  const auto near = [](uint64_t exponent, uint64_t bias) {
    return exponent + 40 >= bias && exponent < bias + 40;
  };
  constexpr double kMost = 0.9;
  const double singles = share(4, [&](uint64_t word) { return near(word >> 23 & 255, 127); });
  if (bytes % 8 == 0 && share(8, [&](uint64_t word) { return near(word >> 52 & 2047, 1023); }) >= kMost &&
      singles < kMost)
    return Type::kF64;
  if (bytes % 4 == 0 && singles >= kMost) return Type::kF32;
  const auto small = [](uint64_t word) {
    return static_cast<int32_t>(word) > -(1 << 24) && static_cast<int32_t>(word) < 1 << 24;
  };
  if (bytes % 4 == 0 && share(4, small) >= kMost) return Type::kI32;
  // Halves within [2^-12, 2^12).
  if (bytes % 2 == 0 &&
      share(2, [](uint64_t word) { return (word >> 10 & 31) >= 3 && (word >> 10 & 31) < 27; }) >= kMost)
    return Type::kF16;
  return Type::kUnknown;
}

}  // namespace musashim::record
