#include "cpu/core/yaml.h"

#include <yaml.h>

namespace musashim::backend::cpu {
namespace {

constexpr int kDeepest = 32;

YamlPlace placeOf(const yaml_mark_t& mark) { return {mark.line + 1, mark.column + 1}; }

class Event {
 public:
  explicit Event(yaml_parser_t& parser) {
    if (yaml_parser_parse(&parser, &event_)) return;
    std::string message = parser.problem ? parser.problem : "no YAML";
    if (parser.context) message += std::string(" ") + parser.context;
    throw YamlError{placeOf(parser.problem_mark), message};
  }
  ~Event() { yaml_event_delete(&event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  const yaml_event_t* operator->() const { return &event_; }
  YamlPlace place() const { return placeOf(event_.start_mark); }
  bool hasAnchor() const {
    switch (event_.type) {
      case YAML_ALIAS_EVENT:
        return true;
      case YAML_SCALAR_EVENT:
        return event_.data.scalar.anchor != nullptr;
      case YAML_SEQUENCE_START_EVENT:
        return event_.data.sequence_start.anchor != nullptr;
      case YAML_MAPPING_START_EVENT:
        return event_.data.mapping_start.anchor != nullptr;
      default:
        return false;
    }
  }

 private:
  yaml_event_t event_{};
};

class Parser {
 public:
  explicit Parser(const std::string& text) {
    yaml_parser_initialize(&parser_);
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()), text.size());
  }
  ~Parser() { yaml_parser_delete(&parser_); }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  YamlNode document() {
    for (;;) {
      const Event event(parser_);
      if (event->type == YAML_STREAM_END_EVENT) return {};
      if (event->type == YAML_DOCUMENT_START_EVENT) break;
    }
    YamlNode root;
    next(root, 0);
    return root;
  }

 private:
  // False at the end of what is around it.
  bool next(YamlNode& node, int depth) {
    const Event event(parser_);
    if (depth > kDeepest) throw YamlError{event.place(), "nested too deep"};
    if (event.hasAnchor()) throw YamlError{event.place(), "anchors and aliases are not read"};
    node.place = event.place();
    switch (event->type) {
      case YAML_SCALAR_EVENT:
        node.kind = YamlNode::Kind::kScalar;
        node.text.assign(reinterpret_cast<const char*>(event->data.scalar.value), event->data.scalar.length);
        node.isPlain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
        return true;
      case YAML_SEQUENCE_START_EVENT:
      case YAML_MAPPING_START_EVENT:
        node.kind =
            event->type == YAML_MAPPING_START_EVENT ? YamlNode::Kind::kMapping : YamlNode::Kind::kSequence;
        for (YamlNode item; next(item, depth + 1); item = {}) node.items.push_back(std::move(item));
        return true;
      default:
        return false;
    }
  }

  yaml_parser_t parser_{};
};

}  // namespace

YamlNode parseYaml(const std::string& text) { return Parser(text).document(); }

}  // namespace musashim::backend::cpu
