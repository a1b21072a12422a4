#include "mccl/topology/document.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "mccl/core/log.h"

namespace musashim::mccl::topology {
namespace {

constexpr size_t kMostBytes = size_t{64} << 20;
constexpr int kMostLevels = 64;  // readers of the document go down by recursion

// Whether nothing in `document` lies deeper than kMostLevels.
bool isShallow(const pugi::xml_document& document) {
  int level = 0;
  pugi::xml_node node = document.first_child();
  while (node) {
    if (level >= kMostLevels) return false;
    if (node.first_child()) {
      node = node.first_child();
      ++level;
      continue;
    }
    while (!node.next_sibling()) {
      node = node.parent();
      if (--level < 0) return true;
    }
    node = node.next_sibling();
  }
  return true;
}

void writeEscaped(std::string_view value, std::string& text) {
  for (const char c : value) {
    switch (c) {
      case '&':
        text += "&amp;";
        break;
      case '<':
        text += "&lt;";
        break;
      case '>':
        text += "&gt;";
        break;
      case '"':
        text += "&quot;";
        break;
      default:
        if (static_cast<unsigned char>(c) < ' ') {
          text += fmt::format("&#{};", static_cast<int>(c));
        } else {
          text += c;
        }
    }
  }
}

void writeElement(pugi::xml_node node, size_t level, std::string& text) {
  text.append(2 * level, ' ');
  text += '<';
  text += node.name();
  for (const pugi::xml_attribute attribute : node.attributes()) {
    text += fmt::format(" {}=\"", attribute.name());
    writeEscaped(attribute.value(), text);
    text += '"';
  }
  const size_t before = text.size();
  text += ">\n";
  const size_t inside = text.size();
  for (const pugi::xml_node child : node.children()) {
    if (child.type() == pugi::node_element) writeElement(child, level + 1, text);
  }
  if (text.size() == inside) {
    text.resize(before);
    text += "/>\n";
    return;
  }
  text.append(2 * level, ' ');
  text += fmt::format("</{}>\n", node.name());
}

using File = std::unique_ptr<FILE, int (*)(FILE*)>;

}  // namespace

mcclResult_t parseDocument(std::string_view text, const std::string& name, const char* root,
                           pugi::xml_document& document) {
  const pugi::xml_parse_result parsed = document.load_buffer(
      text.data(), text.size(), pugi::parse_escapes | pugi::parse_wconv_attribute, pugi::encoding_utf8);
  if (!parsed) {
    const size_t at = std::min(static_cast<size_t>(parsed.offset), text.size());
    const auto line = std::count(text.begin(), text.begin() + static_cast<ptrdiff_t>(at), '\n') + 1;
    return fail(mcclInvalidUsage, "{}:{}: no XML: {}", name, line, parsed.description());
  }
  if (!isShallow(document)) {
    return fail(mcclInvalidUsage, "{}: elements are nested more than {} deep", name, kMostLevels);
  }
  if (std::strcmp(document.document_element().name(), root) != 0) {
    return fail(mcclInvalidUsage, "{}: the root is <{}>; a <{}> is wanted", name,
                document.document_element().name(), root);
  }
  return mcclSuccess;
}

mcclResult_t readDocument(const std::string& path, const char* root, pugi::xml_document& document) {
  const File file(std::fopen(path.c_str(), "re"), &std::fclose);
  if (!file) return fail(mcclSystemError, "{}: cannot be read: {}", path, std::strerror(errno));
  std::string text;
  char piece[65536];
  while (const size_t count = std::fread(piece, 1, sizeof piece, file.get())) {
    text.append(piece, count);
    if (text.size() > kMostBytes) {
      return fail(mcclInvalidUsage, "{}: larger than {} MiB", path, kMostBytes >> 20);
    }
  }
  if (std::ferror(file.get())) {
    return fail(mcclSystemError, "{}: cannot be read: {}", path, std::strerror(errno));
  }
  return parseDocument(text, path, root, document);
}

std::string textOf(const pugi::xml_document& document) {
  std::string text;
  writeElement(document.document_element(), 0, text);
  return text;
}

mcclResult_t writeDocument(const pugi::xml_document& document, const std::string& path) {
  const std::string text = textOf(document);
  File file(std::fopen(path.c_str(), "we"), &std::fclose);
  const bool isWritten = file && std::fwrite(text.data(), 1, text.size(), file.get()) == text.size() &&
                         std::fclose(file.release()) == 0;
  if (isWritten) return mcclSuccess;
  return fail(mcclSystemError, "{}: cannot be written: {}", path, std::strerror(errno));
}

void setAttribute(pugi::xml_node node, const char* name, const std::string& value) {
  pugi::xml_attribute attribute = node.attribute(name);
  if (!attribute) attribute = node.append_attribute(name);
  attribute.set_value(value.c_str());
}

void initAttribute(pugi::xml_node node, const char* name, const std::string& value) {
  if (!node.attribute(name)) setAttribute(node, name, value);
}

}  // namespace musashim::mccl::topology
