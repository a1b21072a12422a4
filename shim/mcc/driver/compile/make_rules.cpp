#include "make_rules.h"

#include <cctype>

#include "core/whole_file.h"

namespace musashim::mcc {

using Strings = std::vector<std::string>;

Strings wordsOfRules(const std::string& text) {
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
  std::erase(words, "");
  return words;
}

Strings prerequisites(const std::string& file) {
  Strings result = wordsOfRules(core::contentOf(file));
  std::erase(result, "read:");
  return result;
}

}  // namespace musashim::mcc
