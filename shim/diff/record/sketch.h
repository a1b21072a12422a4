// What is kept of an allocation's content: a hash, and for arrays of numbers a sketch that tells rounding
// from other values without the content.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace musashim::record {

// What the elements are. Those of kExact are compared bit by bit.
enum class Type { kUnknown, kF16, kBF16, kF32, kF64, kI8, kI16, kI32, kI64 };

const char* typeName(Type type);
Type typeOfName(const std::string& name);  // kUnknown when there is none
size_t typeSize(Type type);                // 1 for kUnknown
bool isFloat(Type type);

// The element that a parameter of a demangled signature points to: "float const*" -> kF32.
Type pointedType(const std::string& parameter);

// Parameters of a demangled name: "f<int>(float*, S<1, 2>)" -> {"float*", "S<1, 2>"}.
std::vector<std::string> parametersOf(const std::string& demangled);

// What content looks like: floats, whose exponents lie close together, or integers.
Type guessType(const void* data, size_t bytes);

constexpr size_t kBlock = 256;  // elements that share an entry of a sketch

// One entry. For floats, the sum of the finite elements by fixed weights of [0.5, 1.5) with either sign, and
// the sum of their magnitudes; for others a hash of the bytes, and 0.
struct BlockSketch {
  double projection;
  double magnitude;
};

struct Sketch {
  Type type = Type::kUnknown;
  size_t count = 0;  // of elements
  size_t nan = 0, infinite = 0;
  double min = 0, max = 0, mean = 0, meanMagnitude = 0;  // of the finite ones
  std::array<double, 8> samples{};                       // evenly spread, from the first on
  std::vector<BlockSketch> blocks;
};

Sketch sketchOf(const void* data, size_t bytes, Type type);

// Element `index` of `data`.
double elementAt(const void* data, Type type, size_t index);

// 128 bits as 32 letters, of content that comes in pieces. Not for adversaries.
class Hash {
 public:
  explicit Hash(size_t bytes);               // in all
  void add(const void* data, size_t bytes);  // all pieces but the last have multiples of 32 bytes
  uint64_t first() const;                    // half of it
  std::string text() const;

 private:
  std::array<uint64_t, 4> lanes_;
};

std::string hashOf(const void* data, size_t bytes);

}  // namespace musashim::record
