// The one result type inside musashim. It becomes MUresult, musaError_t or
// mcclResult_t only at the C boundary of the library that the user called.
#pragma once

#include <memory>
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
  kEccUncorrectable,
  kDeviceLost,  // and no reset brings it back
};

// What is said of an error. Every call returns several results without one, so those cost no string.
class ErrorMessage {
 public:
  ErrorMessage() = default;
  explicit ErrorMessage(std::string text)
      : text_(text.empty() ? nullptr : std::make_shared<const std::string>(std::move(text))) {}

  const std::string& text() const {
    static const auto& none = *new std::string;  // never destroyed: threads run until the process is gone
    return text_ ? *text_ : none;
  }

 private:
  std::shared_ptr<const std::string> text_;
};

// Success carries nothing; an error carries a message with the offending values.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(StatusCode code, std::string message) : code_(code), message_(std::move(message)) {}

  static Status ok() { return {}; }

  bool isOk() const { return code_ == StatusCode::kOk; }
  StatusCode code() const { return code_; }
  const std::string& message() const { return message_.text(); }
  const ErrorMessage& sharedMessage() const { return message_; }

 private:
  StatusCode code_ = StatusCode::kOk;
  ErrorMessage message_;
};

}  // namespace musashim

#define MUSASHIM_RETURN_IF_ERROR(expression)                          \
  do {                                                                \
    if (::musashim::Status status_ = (expression); !status_.isOk()) { \
      return status_;                                                 \
    }                                                                 \
  } while (false)
