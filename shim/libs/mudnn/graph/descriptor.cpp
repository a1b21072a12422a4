#include "libs/mudnn/graph/descriptor.h"

#include <cstring>

#include "libs/core/handles.h"

namespace musashim::mudnn::graph {
namespace {

struct Kind {
  const char* name;
  std::map<int, Attribute> attributes;
};

const std::map<int, Kind>& kinds() {
  static const std::map<int, Kind>& all = *[] {
    auto* const made = new std::map<int, Kind>;
    constexpr int MUDNN_BACKEND_ANY_DESCRIPTOR = kAnyKind, MUDNN_BACKEND_OPERATION_DESCRIPTOR = kOperation;
    (void)MUDNN_BACKEND_ANY_DESCRIPTOR;
    (void)MUDNN_BACKEND_OPERATION_DESCRIPTOR;
#define MUDNN_TYPE_REDUCTION_OPERATOR MUDNN_TYPE_REDUCTION_OPERATOR_TYPE
#define MUSASHIM_TYPE(type) (uint64_t{1} << MUDNN_TYPE_##type)
#define MUSASHIM_ANY_TYPE ~uint64_t{0}
#define MUSASHIM_KIND(kind) (*made)[MUDNN_BACKEND_##kind##_DESCRIPTOR].name = #kind;
#define MUSASHIM_ATTRIBUTE(kind, attribute, types, of, need, many) \
  (*made)[MUDNN_BACKEND_##kind##_DESCRIPTOR].attributes.emplace(   \
      MUDNN_ATTR_##attribute,                                      \
      Attribute{"MUDNN_ATTR_" #attribute, types, MUDNN_BACKEND_##of##_DESCRIPTOR, Need::need, many});
#include "mudnn_backend_attributes.inc"
#undef MUSASHIM_TYPE
#undef MUSASHIM_ANY_TYPE
#undef MUSASHIM_KIND
#undef MUSASHIM_ATTRIBUTE
    return made;
  }();
  return all;
}

using Handles = libs::Handles<Handle>;

}  // namespace

void check(bool condition, mudnnStatus_t status, const std::string& text) {
  if (!condition) throw Failure(status, text);
}

bool isKind(int kind) { return kinds().count(kind) != 0; }

bool isOperation(int kind) {
  const std::string name = kindName(kind);
  return name.rfind("OPERATION_", 0) == 0;
}

const char* kindName(int kind) {
  const auto found = kinds().find(kind);
  return found == kinds().end() ? "unknown" : found->second.name;
}

const std::map<int, Attribute>& attributesOf(int kind) { return kinds().at(kind).attributes; }

size_t sizeOf(mudnnBackendAttributeType_t type) {
  switch (type) {
    case MUDNN_TYPE_BOOLEAN:
    case MUDNN_TYPE_CHAR:
      return 1;
    case MUDNN_TYPE_HANDLE:
    case MUDNN_TYPE_VOID_PTR:
    case MUDNN_TYPE_BACKEND_DESCRIPTOR:
    case MUDNN_TYPE_INT64:
    case MUDNN_TYPE_DOUBLE:
      return 8;
    case MUDNN_TYPE_FRACTION:
      return sizeof(mudnnFraction_t);
    default:
      return 4;  // floats, integers of 32 bits, enumerations
  }
}

int64_t Descriptor::integer(int attribute, int64_t otherwise) const {
  const auto found = values.find(attribute);
  if (found == values.end() || found->second.bytes.empty()) return otherwise;
  const Value& value = found->second;
  if (sizeOf(value.type) == 1) return value.bytes[0];
  if (sizeOf(value.type) == 8) {
    int64_t number;
    std::memcpy(&number, value.bytes.data(), sizeof number);
    return number;
  }
  int32_t number;
  std::memcpy(&number, value.bytes.data(), sizeof number);
  return number;
}

double Descriptor::real(int attribute, double otherwise) const {
  const auto found = values.find(attribute);
  if (found == values.end() || found->second.bytes.empty()) return otherwise;
  const Value& value = found->second;
  if (value.type == MUDNN_TYPE_DOUBLE) {
    double number;
    std::memcpy(&number, value.bytes.data(), sizeof number);
    return number;
  }
  float number;
  std::memcpy(&number, value.bytes.data(), sizeof number);
  return static_cast<double>(number);
}

std::vector<int64_t> Descriptor::integers(int attribute) const {
  const auto found = values.find(attribute);
  if (found == values.end()) return {};
  std::vector<int64_t> numbers(found->second.bytes.size() / sizeof(int64_t));
  if (!numbers.empty())
    std::memcpy(numbers.data(), found->second.bytes.data(), numbers.size() * sizeof(int64_t));
  return numbers;
}

std::vector<double> Descriptor::fractions(int attribute) const {
  const auto found = values.find(attribute);
  const std::vector<int64_t> numbers = integers(attribute);
  if (found == values.end() || found->second.type != MUDNN_TYPE_FRACTION)
    return {numbers.begin(), numbers.end()};
  std::vector<double> result;
  for (size_t i = 0; i + 1 < numbers.size(); i += 2)
    result.push_back(static_cast<double>(numbers[i]) / static_cast<double>(numbers[i + 1]));
  return result;
}

Ref Descriptor::reference(int attribute) const {
  const auto found = values.find(attribute);
  return found == values.end() || found->second.references.empty() ? nullptr : found->second.references[0];
}

std::vector<Ref> Descriptor::references(int attribute) const {
  const auto found = values.find(attribute);
  return found == values.end() ? std::vector<Ref>() : found->second.references;
}

void Descriptor::put(int attribute, mudnnBackendAttributeType_t type, int64_t count, const void* elements) {
  Value value{type, count, {}, {}};
  const auto* const from = static_cast<const unsigned char*>(elements);
  value.bytes.assign(from, from + static_cast<size_t>(count) * sizeOf(type));
  values[attribute] = std::move(value);
}

void Descriptor::put(int attribute, std::vector<Ref> list) {
  const auto count = static_cast<int64_t>(list.size());
  values[attribute] = Value{MUDNN_TYPE_BACKEND_DESCRIPTOR, count, {}, std::move(list)};
}

Ref find(mudnnBackendDescriptor_t handle) {
  check(handle != nullptr, MUDNN_STATUS_BAD_PARAM_NULL_POINTER, "the descriptor is null");
  const Handle* const found = Handles::instance().find(static_cast<Handle*>(handle));
  check(found != nullptr, MUDNN_STATUS_BAD_PARAM, "there is no such descriptor");
  return found->descriptor;
}

void replace(mudnnBackendDescriptor_t handle, Ref descriptor) {
  Handle* const found = Handles::instance().find(static_cast<Handle*>(handle));
  check(found != nullptr, MUDNN_STATUS_BAD_PARAM, "there is no such descriptor");
  found->descriptor = std::move(descriptor);
}

}  // namespace musashim::mudnn::graph
