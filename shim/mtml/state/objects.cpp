#include "mtml/state/objects.h"

#include <cstring>

namespace musashim::mtml {

Objects& objects() {
  static Objects* const kObjects = new Objects;
  return *kObjects;
}

MtmlReturn give(const std::string& text, char* buffer, unsigned int length) {
  if (!buffer || length == 0) return MTML_ERROR_INVALID_ARGUMENT;
  if (length <= text.size()) return MTML_ERROR_INSUFFICIENT_SIZE;
  std::memcpy(buffer, text.c_str(), text.size() + 1);
  return MTML_SUCCESS;
}

}  // namespace musashim::mtml
