// A YAML document as a tree whose parts know where they stand.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace musashim::backend::cpu {

struct YamlPlace {
  size_t line = 1, column = 1;
};

struct YamlNode {
  enum class Kind { kScalar, kSequence, kMapping };
  Kind kind = Kind::kScalar;
  YamlPlace place;
  std::string text;             // of a scalar
  bool isPlain = false;         // without quotes: numbers are
  std::vector<YamlNode> items;  // of a sequence; of a mapping keys and values by turns

  bool isScalar() const { return kind == Kind::kScalar; }
};

// What is wrong, and where.
struct YamlError {
  YamlPlace place;
  std::string message;
};

// The document in `text`. Throws YamlError: it is no YAML, is nested deeper than anything sensible, or has
// anchors, which nobody needs here. An empty document is an empty scalar.
YamlNode parseYaml(const std::string& text);

}  // namespace musashim::backend::cpu
