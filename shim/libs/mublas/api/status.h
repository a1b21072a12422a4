// Statuses in the words of whoever calls: a program of the vendor's (mublasSgemm) is told the vendor's, one
// that was written for CUDA (cublasSgemm_v2) cuBLAS's. Within the library statuses are cuBLAS's, and some
// that say more.
#pragma once

#include <internal/mublas_types.h>

namespace musashim::mublas {

// cuBLAS says INVALID_VALUE of these, the vendor's library what is wrong.
inline constexpr auto kBadOption = static_cast<mublasStatus_t>(20);
inline constexpr auto kBadSize = static_cast<mublasStatus_t>(21);
inline constexpr auto kBadPointer = static_cast<mublasStatus_t>(22);
inline constexpr auto kBadHandle = static_cast<mublasStatus_t>(23);
// cuBLAS says MAPPING_ERROR.
inline constexpr auto kBadTransferSize = static_cast<mublasStatus_t>(24);

// A public call of this thread, by the name that it was called by.
struct PublicCall {
  bool isVendors = false;
  bool isOperation = false;   // its arguments were looked at by checkAsVendor()
  bool hasNull = false;       // among all its pointers
  bool lacksPointer = false;  // among those that its work needs
};
inline thread_local constinit PublicCall publicCall;

class PublicCallScope {
 public:
  explicit PublicCallScope(bool isVendors) : before_(publicCall) { publicCall = {.isVendors = isVendors}; }
  ~PublicCallScope() { publicCall = before_; }
  PublicCallScope(const PublicCallScope&) = delete;
  PublicCallScope& operator=(const PublicCallScope&) = delete;

 private:
  PublicCall before_;
};

// What the caller is told for a status of ours.
mublasStatus_t toldStatus(mublasStatus_t status);

// A status as the caller was told it: its name, null where there is none of this number, and what it means.
const char* nameOfTold(mublasStatus_t status);
const char* textOfTold(mublasStatus_t status);

}  // namespace musashim::mublas
