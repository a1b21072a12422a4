// What an entry of libmusa returns inside: a code and, for errors, what was wrong.
#pragma once

#include <string>
#include <utility>

#include "interface/status.h"
#include "musa.h"

namespace musashim::musa {

class [[nodiscard]] Result {
 public:
  Result() = default;
  Result(MUresult code, std::string message) : code_(code), message_(std::move(message)) {}
  Result(const Status& status) {  // NOLINT: meant as a conversion
    if (!status.isOk()) [[unlikely]]
      *this = fromError(status);
  }

  bool isOk() const { return code_ == MUSA_SUCCESS; }
  MUresult code() const { return code_; }
  const std::string& message() const { return message_.text(); }

 private:
  // Backend errors; see result.cpp for what becomes of each.
  static Result fromError(const Status& status);

  MUresult code_ = MUSA_SUCCESS;
  ErrorMessage message_;
};

// The name of a code ("MUSA_ERROR_INVALID_VALUE") and its text, null when unknown.
const char* errorName(MUresult code);
const char* errorText(MUresult code);

}  // namespace musashim::musa

#define MUSA_TRY(expression)                                                \
  do {                                                                      \
    if (::musashim::musa::Result result_ = (expression); !result_.isOk()) { \
      return result_;                                                       \
    }                                                                       \
  } while (false)

// Argument checks: `condition` must hold.
#define MUSA_REQUIRE(condition, code, message)            \
  do {                                                    \
    if (!(condition)) [[unlikely]] {                      \
      return ::musashim::musa::Result((code), (message)); \
    }                                                     \
  } while (false)
