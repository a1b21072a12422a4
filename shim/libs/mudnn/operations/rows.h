// Tensors as rows over some of their dimensions.
#pragma once

#include <vector>

#include "libs/mudnn/core/array.h"
#include "libs/mudnn/core/values.h"

namespace musashim::mudnn {

// The array with the dimensions `axes` behind the others, which keep their order. Throws for wrong or
// repeated ones.
Array axesLast(const Array& array, const std::vector<int>& axes);
int64_t lengthOf(const Array& array, const std::vector<int>& axes);

// compute(V()) as float, or as double where one of the arrays is of doubles. Only for arrays of floats.
template <class Compute>
void withReal(std::initializer_list<const Array*> arrays, Compute&& compute) {
  bool inDouble = false;
  for (const Array* array : arrays) inDouble |= array->data && array->element == Element::kDouble;
  if (inDouble)
    compute(double());
  else
    compute(float());
}
void requireReal(std::initializer_list<const Array*> arrays);  // empty ones are left out

// All of an array that may be missing: `other` then.
template <class V>
class Optional {
 public:
  Optional(const Array& array, V other) : other_(other) {
    if (array.data) input_ = std::make_unique<Input<V>>(array);
  }
  V operator[](int64_t index) const { return input_ ? (*input_)[index] : other_; }
  explicit operator bool() const { return input_ != nullptr; }

 private:
  std::unique_ptr<Input<V>> input_;
  V other_;
};

}  // namespace musashim::mudnn
