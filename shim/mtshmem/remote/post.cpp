#include "mtshmem/remote/post.h"

#include <algorithm>

namespace musashim::mtshmem {

uint32_t Post::answersOfOne(const mtshmemi_request_t& request) {
  switch (request.operation) {
    case MTSHMEMI_PUT:
      return 0;
    case MTSHMEMI_GET:
      return static_cast<uint32_t>((request.bytes + kPiece - 1) / kPiece);
    default:
      return request.isAnswered;
  }
}

bool Post::one(Connection& connection) {
  Message message;
  message.request = reinterpret_cast<uint64_t>(request_);
  if (request_->operation != MTSHMEMI_PUT && request_->operation != MTSHMEMI_GET) {
    message.kind = Kind::kAtomic;
    message.operation = request_->operation;
    message.width = request_->width;
    message.isAnswered = request_->isAnswered;
    message.offset = request_->offset;
    message.operand = request_->operand;
    message.compare = request_->compare;
    return connection.trySay(message, nullptr);
  }
  const bool isPut = request_->operation == MTSHMEMI_PUT;
  // A word travels in the request itself: who asked may be gone.
  const char* const data = request_->local != nullptr ? static_cast<const char*>(request_->local)
                                                      : reinterpret_cast<const char*>(&request_->operand);
  while (at_ < request_->bytes) {
    message.kind = isPut ? Kind::kPut : Kind::kGet;
    message.offset = request_->offset + at_;
    message.bytes = std::min<uint64_t>(kPiece, request_->bytes - at_);
    message.operand = at_;
    if (!connection.trySay(message, isPut ? data + at_ : nullptr)) return false;
    at_ += message.bytes;
  }
  return true;
}

}  // namespace musashim::mtshmem
