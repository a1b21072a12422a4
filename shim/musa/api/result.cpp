#include "musa/api/result.h"

#include "core/error_table.h"

namespace musashim::musa {
namespace {

constexpr core::ErrorRow kErrors[] = {
#include "musa_errors.inc"
};

const core::ErrorRow* findError(MUresult code) { return core::findError(kErrors, static_cast<int>(code)); }

MUresult codeOf(StatusCode code) {
  switch (code) {
    case StatusCode::kOk:
      return MUSA_SUCCESS;
    case StatusCode::kInvalidValue:
      return MUSA_ERROR_INVALID_VALUE;
    case StatusCode::kOutOfMemory:
      return MUSA_ERROR_OUT_OF_MEMORY;
    case StatusCode::kNotFound:
      return MUSA_ERROR_NOT_FOUND;
    case StatusCode::kNotSupported:
      return MUSA_ERROR_NOT_SUPPORTED;
    case StatusCode::kInvalidImage:
      return MUSA_ERROR_INVALID_IMAGE;
    case StatusCode::kNoBinaryForArch:
      return MUSA_ERROR_NO_BINARY_FOR_GPU;
    case StatusCode::kInvalidConfig:
      return MUSA_ERROR_INVALID_VALUE;
    case StatusCode::kIllegalAddress:
      return MUSA_ERROR_ILLEGAL_ADDRESS;
    case StatusCode::kIllegalInstruction:
      return MUSA_ERROR_ILLEGAL_INSTRUCTION;
    case StatusCode::kArithmeticFault:
      return MUSA_ERROR_LAUNCH_FAILED;
    case StatusCode::kAssert:
      return MUSA_ERROR_ASSERT;
    case StatusCode::kTrap:
      return MUSA_ERROR_LAUNCH_FAILED;
    case StatusCode::kDeadlock:
      return MUSA_ERROR_LAUNCH_TIMEOUT;
    case StatusCode::kLaunchFailure:
      return MUSA_ERROR_LAUNCH_FAILED;
    case StatusCode::kEccUncorrectable:
      return MUSA_ERROR_ECC_UNCORRECTABLE;
    case StatusCode::kDeviceLost:
      return MUSA_ERROR_UNKNOWN;
  }
  return MUSA_ERROR_UNKNOWN;
}

}  // namespace

Result Result::fromError(const Status& status) {
  Result result;
  result.code_ = codeOf(status.code());
  result.message_ = status.sharedMessage();
  return result;
}

const char* errorName(MUresult code) {
  const core::ErrorRow* row = findError(code);
  return row ? row->name : nullptr;
}

const char* errorText(MUresult code) {
  const core::ErrorRow* row = findError(code);
  return row ? row->text : nullptr;
}

}  // namespace musashim::musa
