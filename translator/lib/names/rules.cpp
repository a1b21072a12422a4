#include "translator/lib/names/rules.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "translator/lib/error.h"
#include "translator/lib/tree/files.h"

namespace musashim::translator {
namespace {

bool isIdentifier(std::string_view text) {
  return text.size() >= 2 && std::isdigit(static_cast<unsigned char>(text[0])) == 0 &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; });
}

/// All names that are looked for are, so that none is missed by the tables they are found with.
bool isAscii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

bool isHeader(std::string_view text) {
  return isAscii(text) && text.find_first_of(" \t#\"<>") == std::string_view::npos &&
         (text.ends_with(".h") || text.ends_with(".hpp") || text.ends_with(".cuh") || text.ends_with(".muh"));
}

void addText(const std::string& from, const std::string& to, RuleSet& rules) {
  if (isHeader(from)) {
    rules.headers[from] = to;
  } else if (isIdentifier(from) && isIdentifier(to)) {
    rules.names[from] = {UserRule::Kind::Rename, to, {}, {}};
  } else {
    rules.ignored.push_back(from);
  }
}

PortError wrong(const std::filesystem::path& path, const std::string& what) {
  return PortError(path.string() + ": " + what + "; see musaport --help on --rules");
}

void loadJson(const std::filesystem::path& path, RuleSet& rules) {
  const auto root = nlohmann::json::parse(readFile(path), nullptr, false);
  if (!root.is_object()) throw wrong(path, "is not a JSON object of old to new names");
  for (const auto& [from, to] : root.items()) {
    if (!to.is_string()) throw wrong(path, "the value of \"" + from + "\" is not a string");
    addText(from, to.get<std::string>(), rules);
  }
}

UserRule ruleOf(const std::filesystem::path& path, const std::string& name, const YAML::Node& node) {
  if (node.IsScalar()) return {UserRule::Kind::Rename, node.as<std::string>(), {}, {}};
  if (node.IsMap() && node["keep"]) return {UserRule::Kind::Keep, {}, node["keep"].as<std::string>(), {}};
  if (node.IsMap() && node["unported"]) {
    return {
        UserRule::Kind::Unported, {}, node["unported"].as<std::string>(), node["remedy"].as<std::string>("")};
  }
  throw wrong(path, "the rule for " + name + " is neither a name nor {keep: reason} nor {unported: reason}");
}

void loadYaml(const std::filesystem::path& path, RuleSet& rules) {
  try {
    const YAML::Node root = YAML::Load(readFile(path));
    if (!root.IsMap()) throw wrong(path, "is not a map with names, headers or prefixes");
    for (const auto& part : root) {
      const auto key = part.first.as<std::string>();
      if (key != "names" && key != "headers" && key != "prefixes")
        throw wrong(path, "has the unknown key '" + key + "'");
      for (const auto& entry : part.second) {
        const auto from = entry.first.as<std::string>();
        if (key == "names") {
          if (!isIdentifier(from)) throw wrong(path, "'" + from + "' is no name");
          rules.names[from] = ruleOf(path, from, entry.second);
          continue;
        }
        const auto to = entry.second.as<std::string>();
        for (const std::string& text : {from, to}) {
          if (!isAscii(text)) throw wrong(path, "'" + text + "' has letters beyond ASCII");
        }
        if (key == "prefixes" && from.size() < 2) throw wrong(path, "the prefix '" + from + "' is too short");
        (key == "headers" ? rules.headers : rules.prefixes)[from] = to;
      }
    }
  } catch (const YAML::Exception& error) {
    throw wrong(path, std::string("is not YAML as expected: ") + error.what());
  }
}

}  // namespace

void loadRules(const std::filesystem::path& path, RuleSet& rules) {
  if (path.extension() == ".json") return loadJson(path, rules);
  loadYaml(path, rules);
}

}  // namespace musashim::translator
