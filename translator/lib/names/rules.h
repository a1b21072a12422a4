#pragma once

// The user's own mappings: --rules FILE.

#include <deque>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace musashim::translator {

struct UserRule {
  enum class Kind : unsigned char { Rename, Keep, Unported };
  Kind kind;
  std::string target;
  std::string reason;
  std::string remedy;
};

struct RuleSet {
  std::map<std::string, UserRule> names;
  std::map<std::string, std::string> headers;   // whole name, or its end after a slash
  std::map<std::string, std::string> prefixes;  // of names
  std::vector<std::string> ignored;             // keys that are neither a name nor a header
};

/// Adds the rules of a file to `rules`; of two rules for a name, the later file's counts.
/// *.json: one object of old to new names, as musify's (general.json, extra.json, dnn-naming.json).
/// Else YAML: `names:` old: new, or old: {keep: reason}, or old: {unported: reason, remedy: text};
/// `headers:` old: new; `prefixes:` old: new. Throws PortError that names the file and what is wrong.
void loadRules(const std::filesystem::path& path, RuleSet& rules);

}  // namespace musashim::translator
