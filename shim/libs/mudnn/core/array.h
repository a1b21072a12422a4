// Tensors as operations see them: memory, sizes and strides.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <string>

namespace musashim::mudnn {

// Numbered as musa::dnn::Tensor::Type.
enum class Element : uint8_t {
  kInt8,
  kInt16,
  kInt32,
  kInt64,
  kUint8,
  kUint16,
  kUint32,
  kUint64,
  kHalf,
  kBfloat16,
  kFloat,
  kDouble,
  kBool,
  kQint8,
  kE4m3,
  kE5m2,
};

size_t sizeOf(Element element);
bool isFloating(Element element);

inline constexpr int kMaxRank = 8;
using Dims = std::array<int64_t, kMaxRank>;

struct Array {
  Element element = Element::kFloat;
  void* data = nullptr;
  int rank = 0;
  Dims sizes{}, strides{};  // in elements; the last dimension is the fastest where it is contiguous
  float scale = 1;          // of quantised integers

  int64_t count() const;
  bool isContiguous() const;  // row by row without gaps
  bool sameSizes(const Array& other) const;
  int axis(int64_t index) const;  // of a negative one, too; throws where there is no such dimension
};

// The same memory with its dimensions in another order: dimension i is order[i] of `array`.
Array permuted(const Array& array, const int* order);
// Row by row, with the given sizes.
Array contiguousArray(Element element, void* data, int rank, const int64_t* sizes);
// One in front of other dimensions is left out of the count, so that any rank broadcasts to a higher one.
// Throws.
Array broadcast(const Array& array, const Array& like);

// What an operation throws when it cannot be: for wrong arguments, or for what the library does not have.
class Refusal : public std::exception {
 public:
  enum class Kind : uint8_t { kInvalid, kNotSupported };
  Refusal(Kind kind, std::string text) : kind_(kind), text_(std::move(text)) {}
  Kind kind() const { return kind_; }
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  Kind kind_;
  std::string text_;
};
void require(bool condition, const char* text);         // else kInvalid
void requireSupport(bool condition, const char* text);  // else kNotSupported

// What runs on the stream. Operations check their arguments when they make it.
using Work = std::function<void()>;

}  // namespace musashim::mudnn
