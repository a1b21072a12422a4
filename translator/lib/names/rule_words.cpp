#include "translator/lib/names/rule_words.h"

#include <map>
#include <string>

namespace musashim::translator {
namespace {

bool isWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// New words by old ones; of two that begin alike, the longer comes later.
using Words = std::map<std::string_view, std::string_view>;

Words wordsOf(const RuleSet& rules, Direction direction) {
  Words words;
  const auto add = [&](std::string_view from, std::string_view to) {
    direction == Direction::ToMusa ? words[from] = to : words[to] = from;
  };
  for (const auto& [from, rule] : rules.names)
    if (rule.kind == UserRule::Kind::Rename) add(from, rule.target);
  for (const auto& [from, to] : rules.headers) add(from, to);
  return words;
}

/// The longest of the words that `rest` begins with and that ends where a word ends.
Words::const_iterator longestIn(const Words& words, std::string_view rest) {
  std::size_t end = 0;
  while (end < rest.size() && isWord(rest[end])) ++end;
  const std::string_view first = rest.substr(0, end);
  Words::const_iterator found = words.find(first);
  // Headers go on behind a dot or a slash.
  for (auto one = words.upper_bound(first); one != words.end() && one->first.starts_with(first); ++one) {
    const std::string_view word = one->first;
    if (rest.starts_with(word) && (rest.size() == word.size() || !isWord(rest[word.size()]))) found = one;
  }
  return found;
}

}  // namespace

Match findWords(std::string_view text, const RuleSet& rules, Direction direction) {
  const Words words = wordsOf(rules, direction);
  Match result;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!isWord(text[at]) || (at > 0 && isWord(text[at - 1]))) continue;
    const auto found = longestIn(words, text.substr(at));
    if (found == words.end()) continue;
    const auto begin = static_cast<std::uint32_t>(at);
    const auto end = static_cast<std::uint32_t>(at + found->first.size());
    result.edits.push_back({begin, end, EditText(found->second)});
    result.findings.push_back({FindingKind::Name, begin, end, std::string(found->first), "rules", "", ""});
    count(result, "rules");
    at = end - 1;
  }
  return result;
}

}  // namespace musashim::translator
