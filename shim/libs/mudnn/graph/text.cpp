// Execution plans as JSON: all descriptors that a plan is made of, each once.
#include <cctype>
#include <charconv>
#include <map>
#include <utility>

#include "libs/mudnn/graph/descriptor.h"
#include "libs/mudnn/graph/program.h"

namespace musashim::mudnn::graph {
namespace {

constexpr int kFormat = 1;

// A descriptor's own come before it, so that whoever reads has them.
class Writer {
 public:
  int write(const Descriptor& descriptor) {
    const auto known = numbers_.find(&descriptor);
    if (known != numbers_.end()) return known->second;
    std::string text = "{\"kind\":" + std::to_string(descriptor.kind) + ",\"attributes\":[";
    bool isFirst = true;
    for (const auto& [attribute, value] : descriptor.values) {
      // Of the process that wrote it, or what finalizing makes again.
      if (value.type == MUDNN_TYPE_HANDLE || attributesOf(descriptor.kind).at(attribute).need == Need::kRead)
        continue;
      if (attribute == MUDNN_ATTR_EXECUTION_PLAN_DEVICEPROP ||
          attribute == MUDNN_ATTR_EXECUTION_PLAN_JSON_REPRESENTATION)
        continue;
      text += std::string(isFirst ? "" : ",") + "[" + std::to_string(attribute) + "," +
              std::to_string(value.type) + "," + std::to_string(value.count);
      isFirst = false;
      for (const Ref& reference : value.references) text += "," + std::to_string(write(*reference));
      for (const unsigned char byte : value.bytes) text += "," + std::to_string(byte);
      text += "]";
    }
    list_ += std::string(list_.empty() ? "" : ",\n") + text + "]}";
    return numbers_[&descriptor] = static_cast<int>(numbers_.size());
  }
  const std::string& list() const { return list_; }

 private:
  std::map<const Descriptor*, int> numbers_;
  std::string list_;
};

class Reader {
 public:
  explicit Reader(const std::string& text) : text_(text) {}
  void expect(const char* word) {
    skip();
    for (; *word; ++word, ++at_)
      check(at_ < text_.size() && text_[at_] == *word, MUDNN_STATUS_BAD_PARAM, kBroken);
  }
  bool take(char letter) {
    skip();
    if (at_ >= text_.size() || text_[at_] != letter) return false;
    ++at_;
    return true;
  }
  int64_t number() {
    skip();
    int64_t value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    check(error == std::errc(), MUDNN_STATUS_BAD_PARAM, kBroken);
    at_ = static_cast<size_t>(end - text_.data());
    return value;
  }

 private:
  static constexpr const char* kBroken = "the text is not that of an execution plan";
  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  const std::string& text_;
  size_t at_ = 0;
};

void readAttribute(Reader& reader, Descriptor& descriptor, const std::vector<Ref>& known) {
  const auto attribute = static_cast<int>(reader.number());
  reader.expect(",");
  const auto type = static_cast<mudnnBackendAttributeType_t>(reader.number());
  reader.expect(",");
  const int64_t count = reader.number();
  check(attributesOf(descriptor.kind).count(attribute) != 0, MUDNN_STATUS_BAD_PARAM,
        "a descriptor has no such attribute");
  if (type == MUDNN_TYPE_BACKEND_DESCRIPTOR) {
    std::vector<Ref> references;
    while (reader.take(',')) {
      const int64_t number = reader.number();
      check(number >= 0 && number < static_cast<int64_t>(known.size()), MUDNN_STATUS_BAD_PARAM,
            "there is no such descriptor");
      references.push_back(known[static_cast<size_t>(number)]);
    }
    descriptor.put(attribute, std::move(references));
  } else {
    std::vector<unsigned char> bytes;
    while (reader.take(',')) bytes.push_back(static_cast<unsigned char>(reader.number()));
    check(count >= 0 && bytes.size() == static_cast<size_t>(count) * sizeOf(type), MUDNN_STATUS_BAD_PARAM,
          "a value has another size");
    descriptor.put(attribute, type, count, bytes.data());
  }
  reader.expect("]");
}

}  // namespace

std::string textOf(const Descriptor& plan) {
  Writer writer;
  (void)writer.write(plan);
  return "{\"library\":\"mudnn\",\"format\":" + std::to_string(kFormat) + ",\"descriptors\":[\n" +
         writer.list() + "\n]}";
}

void readText(Descriptor& plan, const std::string& text) {
  Reader reader(text);
  reader.expect("{\"library\":\"mudnn\",\"format\":");
  check(reader.number() == kFormat, MUDNN_STATUS_SERIALIZATION_VERSION_MISMATCH,
        "the text is of another version");
  reader.expect(",\"descriptors\":[");
  std::vector<Ref> known;
  const int64_t handle = plan.integer(MUDNN_ATTR_EXECUTION_PLAN_HANDLE, 0);
  do {
    reader.expect("{\"kind\":");
    const int64_t kind = reader.number();
    check(isKind(static_cast<int>(kind)), MUDNN_STATUS_BAD_PARAM, "there is no such kind of descriptors");
    auto made = std::make_shared<Descriptor>(static_cast<mudnnBackendDescriptorType_t>(kind));
    reader.expect(",\"attributes\":[");
    while (reader.take('[')) {
      readAttribute(reader, *made, known);
      (void)reader.take(',');
    }
    reader.expect("]}");
    if (made->kind == MUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR) {
      for (auto& [attribute, value] : made->values) plan.values[attribute] = value;
      return;
    }
    // A graph is of the handle that the plan has.
    if (made->kind == MUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR && handle != 0)
      made->put(MUDNN_ATTR_OPERATIONGRAPH_HANDLE, MUDNN_TYPE_HANDLE, 1, &handle);
    finalize(*made);
    known.push_back(std::move(made));
  } while (reader.take(','));
  throw Failure(MUDNN_STATUS_BAD_PARAM, "the text has no execution plan");
}

}  // namespace musashim::mudnn::graph
