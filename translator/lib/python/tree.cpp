#include "translator/lib/python/tree.h"

extern "C" const TSLanguage* tree_sitter_python(void);

namespace musashim::translator {

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
  if (!string.is("string") || string.count() < 2) return false;
  const PythonNode first = string.child(0), last = string.child(string.count() - 1);
  if (!first.is("string_start") || !last.is("string_end")) return false;
  for (std::uint32_t i = 1; i + 1 < string.count(); ++i) {
    if (!string.child(i).is("string_content")) return false;
  }
  begin = first.end();
  end = last.begin();
  return true;
}

std::string_view stringText(const PythonNode& string) {
  std::size_t begin = 0, end = 0;
  if (!plainString(string, begin, end)) return {};
  return string.text().substr(begin - string.begin(), end - begin);
}

}  // namespace musashim::translator
