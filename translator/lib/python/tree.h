#pragma once

// Python's syntax tree, as tree-sitter makes it of any text, faulty or not.

#include <tree_sitter/api.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace musashim::translator {

class PythonTree;

/// A node; one that is not there has no kind and no text.
class PythonNode {
 public:
  PythonNode() = default;
  PythonNode(TSNode node, const PythonTree& tree) : node_(node), tree_(&tree) {}

  explicit operator bool() const { return node_.id != nullptr; }
  bool operator==(const PythonNode& other) const { return node_.id == other.node_.id; }
  std::string_view kind() const {
    return node_.id ? std::string_view(ts_node_type(node_)) : std::string_view();
  }
  bool is(std::string_view wanted) const { return kind() == wanted; }
  std::size_t begin() const { return ts_node_start_byte(node_); }
  std::size_t end() const { return ts_node_end_byte(node_); }
  std::string_view text() const;
  /// Those that are no punctuation, in order.
  std::vector<PythonNode> children() const;
  /// The one of that number among them. For few: it counts from the first.
  PythonNode child(std::uint32_t index) const;
  PythonNode field(std::string_view name) const;
  PythonNode parent() const;

 private:
  TSNode node_{};
  const PythonTree* tree_ = nullptr;
};

class PythonTree {
 public:
  explicit PythonTree(std::string_view text);
  PythonNode root() const { return {ts_tree_root_node(tree_.get()), *this}; }
  std::string_view text() const { return text_; }

  /// The way down to where one is, so that parents are found without a search from the root.
  void enter(const PythonNode& node) { path_.push_back(node); }
  void leave() { path_.pop_back(); }
  std::size_t depth() const { return path_.size(); }

 private:
  friend class PythonNode;
  struct Delete {
    void operator()(TSTree* tree) const { ts_tree_delete(tree); }
  };
  std::string_view text_;
  std::unique_ptr<TSTree, Delete> tree_;
  std::vector<PythonNode> path_;
};

/// The text of a string without a value in braces; false if it is another thing, or several.
bool plainString(const PythonNode& string, std::size_t& begin, std::size_t& end);
/// Likewise its text; empty if it has none.
std::string_view stringText(const PythonNode& string);

}  // namespace musashim::translator
