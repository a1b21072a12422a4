#include "translator/lib/build/architecture_words.h"

#include <algorithm>
#include <cctype>

#include "translator/lib/build/build_table.h"

namespace musashim::translator {
namespace {

bool isDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

struct Architecture {
  int number = 0;  // NVIDIA's; 0: none
  std::string_view rest;
};

/// "86" and "8.6" of what follows a prefix.
Architecture numberOf(std::string_view word) {
  Architecture result;
  std::size_t size = 0;
  for (; size < word.size() && size < 4 && isDigit(word[size]); ++size)
    result.number = result.number * 10 + (word[size] - '0');
  result.rest = word.substr(size);
  if (result.rest.size() >= 2 && result.rest[0] == '.' && isDigit(result.rest[1])) {
    result.number = result.number * 10 + (result.rest[1] - '0');
    result.rest.remove_prefix(2);
  }
  if (!result.rest.empty() && (result.rest[0] == 'a' || result.rest[0] == 'f')) result.rest.remove_prefix(1);
  if (size == 0 || result.number < 35 || result.number > 199) result.number = 0;
  return result;
}

void add(std::vector<int>& list, int number) {
  if (std::find(list.begin(), list.end(), number) == list.end()) list.push_back(number);
}

/// With `later`, all MUSA architectures from there on.
std::vector<int> from(int number, bool later) {
  std::vector<int> result = {musaArchitecture(number)};
  if (later) {
    for (const int musa : musaArchitectures()) {
      if (musa > result[0]) add(result, musa);
    }
  }
  return result;
}

}  // namespace

std::vector<int> architecturesOf(std::string_view word) {
  const Architecture found = numberOf(word);
  const bool known =
      found.rest.empty() || found.rest == "-real" || found.rest == "-virtual" || found.rest == "+PTX";
  if (found.number == 0 || !known) return {};
  const bool dotted = word.find('.') != std::string_view::npos;  // TORCH_CUDA_ARCH_LIST: no PTX but with +PTX
  return from(found.number, dotted ? found.rest == "+PTX" : found.rest != "-real");
}

std::optional<std::vector<int>> architecturesOfOption(std::string_view value) {
  std::vector<int> result;
  if (value == "native" || value == "all" || value == "all-major") return result;
  const std::size_t code = value.find("code=");
  const bool alone =
      code == std::string_view::npos && !value.starts_with("arch=");  // -arch=sm_80 has PTX, too
  if (code != std::string_view::npos) value.remove_prefix(code + 5);
  for (std::size_t begin = 0; begin < value.size();) {
    const std::size_t end = std::min(value.find_first_of("=,[]", begin), value.size());
    std::string_view word = value.substr(begin, end - begin);
    begin = end + 1;
    if (word.empty() || word == "arch") continue;
    bool later = alone;
    bool prefixed = false;
    for (const std::string_view prefix : {"sm_", "compute_", "lto_"}) {
      if (!word.starts_with(prefix)) continue;
      word.remove_prefix(prefix.size());
      prefixed = true;
      later = later || prefix == "compute_";
    }
    const Architecture found = numberOf(word);
    if (!prefixed || found.number == 0 || !found.rest.empty()) return std::nullopt;
    for (const int musa : from(found.number, later)) add(result, musa);
  }
  if (result.empty()) return std::nullopt;
  return result;
}

std::optional<std::string> architectureList(std::string_view list) {
  std::string out;
  std::vector<int> seen;
  const std::size_t first = list.find_first_of("; ,");
  const char separator = first == std::string_view::npos ? ';' : list[first];
  for (std::size_t begin = 0; begin < list.size();) {
    const std::size_t end = std::min(list.find_first_of("; ,", begin), list.size());
    const std::string_view word = list.substr(begin, end - begin);
    begin = end + 1;
    const std::vector<int> musa = architecturesOf(word);
    if (musa.empty() && !word.empty()) {
      if (!out.empty()) out += separator;
      out += word;
    }
    for (const int number : musa) {
      if (std::find(seen.begin(), seen.end(), number) != seen.end()) continue;
      seen.push_back(number);
      if (!out.empty()) out += separator;
      out += std::to_string(number);
    }
  }
  if (seen.empty()) return std::nullopt;
  return out;
}

}  // namespace musashim::translator
