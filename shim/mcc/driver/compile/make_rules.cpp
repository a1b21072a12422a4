#include "make_rules.h"

#include <cctype>
#include <fstream>
#include <iterator>

namespace musashim::mcc {

using Strings = std::vector<std::string>;

Strings prerequisites(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  Strings words(1);
  for (size_t i = 0; i < text.size(); ++i) {
    const bool escapes = text[i] == '\\' && i + 1 < text.size();
    if (escapes && (text[i + 1] == ' ' || text[i + 1] == '#' || text[i + 1] == '\\')) {
      words.back() += text[++i];
    } else if (escapes && text[i + 1] == '\n') {
      ++i;
      words.emplace_back();
    } else if (text[i] == '$' && i + 1 < text.size() && text[i + 1] == '$') {
      words.back() += text[++i];
    } else if (std::isspace(static_cast<unsigned char>(text[i]))) {
      words.emplace_back();
    } else {
      words.back() += text[i];
    }
  }
  Strings result;
  for (std::string& word : words) {
    if (!word.empty() && word != "read:") result.push_back(std::move(word));
  }
  return result;
}

}  // namespace musashim::mcc
