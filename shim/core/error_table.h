// The errors of an API: numbers, names and texts, as generated from shim/api/errors.yml.
#pragma once

#include <algorithm>
#include <span>

namespace musashim::core {

struct ErrorRow {
  int value;
  const char* name;  // "musaErrorInvalidValue"
  const char* text;  // "invalid argument"
};

// The row of `value`, null when there is none. `rows` ascend by value.
constexpr const ErrorRow* findError(std::span<const ErrorRow> rows, int value) {
  auto row = std::ranges::lower_bound(rows, value, {}, &ErrorRow::value);
  return row != rows.end() && row->value == value ? &*row : nullptr;
}

}  // namespace musashim::core
