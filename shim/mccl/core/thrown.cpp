#include "mccl/core/thrown.h"

#include <exception>
#include <new>

#include "mccl/core/log.h"

namespace musashim::mccl {
namespace {

mcclResult_t failIfPossible(mcclResult_t result, const char* why) noexcept {
  try {
    return fail(result, "{}", why);
  } catch (...) {
    return result;
  }
}

}  // namespace

mcclResult_t resultOfThrown() noexcept {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return failIfPossible(mcclSystemError, "out of memory");
  } catch (const std::exception& error) {
    return failIfPossible(mcclInternalError, error.what());
  } catch (...) {
    return mcclInternalError;
  }
}

}  // namespace musashim::mccl
