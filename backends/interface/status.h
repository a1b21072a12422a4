// The one result type inside musashim. It becomes MUresult, musaError_t or
// mcclResult_t only at the C boundary of the library that the user called.
#pragma once

#include <string>
#include <utility>

namespace musashim {

enum class StatusCode {
  kOk = 0,
  kInvalidValue,
  kOutOfMemory,
  kNotFound,  // a name that an image does not have
  kNotSupported,
  kInvalidImage,     // not a device image, or one of another ABI version
  kNoBinaryForArch,  // a bundle without an image for the device's architecture
  kInvalidConfig,    // launch geometry or resources over the device's limits
  // Faults of device code. They stick to the device until it is reset.
  kIllegalAddress,
  kIllegalInstruction,
  kArithmeticFault,
  kAssert,
  kTrap,
  kDeadlock,  // threads of a block wait for each other for ever
  kLaunchFailure,
};

// Success carries nothing; an error carries a message with the offending values.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(StatusCode code, std::string message) : code_(code), message_(std::move(message)) {}

  static Status ok() { return {}; }

  bool isOk() const { return code_ == StatusCode::kOk; }
  StatusCode code() const { return code_; }
  const std::string& message() const { return message_; }

 private:
  StatusCode code_ = StatusCode::kOk;
  std::string message_;
};

}  // namespace musashim

#define MUSASHIM_RETURN_IF_ERROR(expression)                          \
  do {                                                                \
    if (::musashim::Status status_ = (expression); !status_.isOk()) { \
      return status_;                                                 \
    }                                                                 \
  } while (false)
