#include "translator/lib/python/tree.h"

extern "C" const TSLanguage* tree_sitter_python(void);

namespace musashim::translator {

std::string_view PythonNode::text() const {
  return node_.id ? tree_->text().substr(begin(), end() - begin()) : std::string_view();
}

std::vector<PythonNode> PythonNode::children() const {
  std::vector<PythonNode> result;
  if (!node_.id) return result;
  TSTreeCursor cursor = ts_tree_cursor_new(node_);
  for (bool more = ts_tree_cursor_goto_first_child(&cursor); more;
       more = ts_tree_cursor_goto_next_sibling(&cursor)) {
    const TSNode child = ts_tree_cursor_current_node(&cursor);
    if (ts_node_is_named(child)) result.emplace_back(child, *tree_);
  }
  ts_tree_cursor_delete(&cursor);
  return result;
}

PythonNode PythonNode::child(std::uint32_t index) const {
  if (!node_.id || index >= ts_node_named_child_count(node_)) return {};
  return {ts_node_named_child(node_, index), *tree_};
}

PythonNode PythonNode::field(std::string_view name) const {
  if (!node_.id) return {};
  return {ts_node_child_by_field_name(node_, name.data(), static_cast<std::uint32_t>(name.size())), *tree_};
}

PythonNode PythonNode::parent() const {
  if (!node_.id) return {};
  const auto& path = tree_->path_;
  for (std::size_t i = path.size(); i > 1; --i) {
    if (path[i - 1] == *this) return path[i - 2];
  }
  return {ts_node_parent(node_), *tree_};
}

PythonTree::PythonTree(std::string_view text) : text_(text) {
  struct DeleteParser {
    void operator()(TSParser* parser) const { ts_parser_delete(parser); }
  };
  const std::unique_ptr<TSParser, DeleteParser> parser(ts_parser_new());
  ts_parser_set_language(parser.get(), tree_sitter_python());
  tree_.reset(
      ts_parser_parse_string(parser.get(), nullptr, text.data(), static_cast<std::uint32_t>(text.size())));
}

bool plainString(const PythonNode& string, std::size_t& begin, std::size_t& end) {
  if (!string.is("string")) return false;
  const std::vector<PythonNode> parts = string.children();
  if (parts.size() < 2 || !parts.front().is("string_start") || !parts.back().is("string_end")) return false;
  for (std::size_t i = 1; i + 1 < parts.size(); ++i) {
    if (!parts[i].is("string_content")) return false;
  }
  begin = parts.front().end();
  end = parts.back().begin();
  return true;
}

std::string_view stringText(const PythonNode& string) {
  std::size_t begin = 0, end = 0;
  if (!plainString(string, begin, end)) return {};
  return string.text().substr(begin - string.begin(), end - begin);
}

}  // namespace musashim::translator
