// Descriptors of the graph interface: of what kind they are, and their attributes as they were set.
#pragma once

#include <mudnn.h>

#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace musashim::mudnn::graph {

struct Descriptor;
using Ref = std::shared_ptr<Descriptor>;
class Program;

// What makes an entry of the graph interface return another status than success.
class Failure : public std::exception {
 public:
  Failure(mudnnStatus_t status, std::string text) : status_(status), text_(std::move(text)) {}
  mudnnStatus_t status() const { return status_; }
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  mudnnStatus_t status_;
  std::string text_;
};
void check(bool condition, mudnnStatus_t status, const std::string& text);

enum class Need : uint8_t { kRequired, kOptional, kRead };

// An attribute of a kind of descriptors, by shim/api/mudnn_backend.yml.
struct Attribute {
  const char* name;
  uint64_t types;  // one bit for each of mudnnBackendAttributeType_t
  int of;          // the kind of a descriptor that is a value, or kAnyKind, kOperation
  Need need;
  bool hasMany;
};
inline constexpr int kAnyKind = -1, kOperation = -2;
bool isKind(int kind);
bool isOperation(int kind);
const char* kindName(int kind);
const std::map<int, Attribute>& attributesOf(int kind);

size_t sizeOf(mudnnBackendAttributeType_t type);

struct Value {
  mudnnBackendAttributeType_t type{};
  int64_t count = 0;
  std::vector<unsigned char> bytes;
  std::vector<Ref> references;  // where the type is that of descriptors
};

struct Descriptor {
  explicit Descriptor(mudnnBackendDescriptorType_t what) : kind(what) {}
  mudnnBackendDescriptorType_t kind;
  bool isFinalized = false;
  std::map<int, Value> values;
  std::shared_ptr<const Program> program;  // of an operation graph

  bool has(int attribute) const { return values.count(attribute) != 0; }
  int64_t integer(int attribute, int64_t otherwise) const;  // of any integer type or enumeration
  double real(int attribute, double otherwise) const;
  std::vector<int64_t> integers(int attribute) const;
  std::vector<double> fractions(int attribute) const;  // of integers or fractions
  Ref reference(int attribute) const;                  // null where it was not set
  std::vector<Ref> references(int attribute) const;
  void put(int attribute, mudnnBackendAttributeType_t type, int64_t count, const void* elements);
  void put(int attribute, std::vector<Ref> references);
};

// What a mudnnBackendDescriptor_t points to: others may go on to use the descriptor when it is destroyed.
struct Handle {
  Ref descriptor;
};
Ref find(mudnnBackendDescriptor_t handle);  // throws where there is none
void replace(mudnnBackendDescriptor_t handle, Ref descriptor);

// Keeps a text as the thread's last error.
void tell(const char* text);

// Checks a descriptor and makes what follows from it. Throws.
void finalize(Descriptor& descriptor);

// An execution plan as text, and a plan's attributes from it. Throws.
std::string textOf(const Descriptor& plan);
void readText(Descriptor& plan, const std::string& text);

}  // namespace musashim::mudnn::graph
