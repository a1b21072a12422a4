#pragma once

// Python's syntax tree, as tree-sitter makes it of any text, faulty or not.

#include <tree_sitter/api.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace musashim::translator {

/// A node; one that is not there has no kind and no text.
class PythonNode {
 public:
  PythonNode() = default;
  PythonNode(TSNode node, std::string_view text) : node_(node), text_(text) {}

  explicit operator bool() const { return node_.id != nullptr; }
  bool operator==(const PythonNode& other) const { return node_.id == other.node_.id; }
  std::string_view kind() const {
    return node_.id ? std::string_view(ts_node_type(node_)) : std::string_view();
  }
  bool is(std::string_view wanted) const { return kind() == wanted; }
  std::size_t begin() const { return ts_node_start_byte(node_); }
  std::size_t end() const { return ts_node_end_byte(node_); }
  std::string_view text() const {
    return node_.id ? text_.substr(begin(), end() - begin()) : std::string_view();
  }
  /// Of which that is no punctuation.
  std::uint32_t count() const { return node_.id ? ts_node_named_child_count(node_) : 0; }
  PythonNode child(std::uint32_t index) const {
    return index < count() ? PythonNode(ts_node_named_child(node_, index), text_) : PythonNode();
  }
  /// Punctuation and keywords, too.
  std::uint32_t tokenCount() const { return node_.id ? ts_node_child_count(node_) : 0; }
  PythonNode token(std::uint32_t index) const { return PythonNode(ts_node_child(node_, index), text_); }
  PythonNode field(std::string_view name) const {
    if (!node_.id) return {};
    return {ts_node_child_by_field_name(node_, name.data(), static_cast<std::uint32_t>(name.size())), text_};
  }
  PythonNode parent() const { return node_.id ? PythonNode(ts_node_parent(node_), text_) : PythonNode(); }

 private:
  TSNode node_{};
  std::string_view text_;
};

class PythonTree {
 public:
  explicit PythonTree(std::string_view text);
  PythonNode root() const { return {ts_tree_root_node(tree_.get()), text_}; }

 private:
  struct Delete {
    void operator()(TSTree* tree) const { ts_tree_delete(tree); }
  };
  std::string_view text_;
  std::unique_ptr<TSTree, Delete> tree_;
};

/// The text of a string without a value in braces; false if it is another thing, or several.
bool plainString(const PythonNode& string, std::size_t& begin, std::size_t& end);
/// Likewise its text; empty if it has none.
std::string_view stringText(const PythonNode& string);

}  // namespace musashim::translator
