#include "libs/mudnn/operations/rows.h"

namespace musashim::mudnn {

Array axesLast(const Array& array, const std::vector<int>& axes) {
  std::array<bool, kMaxRank> isLast{};
  for (const int axis : axes) {
    require(axis >= 0 && axis < array.rank && !isLast[static_cast<size_t>(axis)],
            "a dimension is missing or repeated");
    isLast[static_cast<size_t>(axis)] = true;
  }
  std::array<int, kMaxRank> order{};
  size_t count = 0;
  for (int i = 0; i < array.rank; ++i)
    if (!isLast[static_cast<size_t>(i)]) order[count++] = i;
  for (const int axis : axes) order[count++] = axis;
  return permuted(array, order.data());
}

int64_t lengthOf(const Array& array, const std::vector<int>& axes) {
  int64_t length = 1;
  for (const int axis : axes) length *= array.sizes[static_cast<size_t>(axis)];
  return length;
}

void requireReal(std::initializer_list<const Array*> arrays) {
  for (const Array* array : arrays)
    requireSupport(!array->data || isFloating(array->element), "the operation is for floating-point numbers");
}

}  // namespace musashim::mudnn
