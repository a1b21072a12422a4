// A request to PEs of other hosts on its way: its messages, one after the other as there is room.
#pragma once

#include "mtshmem/include/mtshmem_detail/layout.h"
#include "mtshmem/remote/connection.h"

namespace musashim::mtshmem {

class Post {
 public:
  // `connectionOf(pe)`: null for a PE that is not reached by one.
  explicit Post(mtshmemi_request_t& request) : request_(&request) {}

  // Says what can be said now. True when all is said: the request itself is still needed if it is answered.
  template <class ConnectionOf>
  bool moveOn(int pes, const ConnectionOf& connectionOf) {
    if (request_->operation == MTSHMEMI_FLUSH) return flush(pes, connectionOf);
    Connection* const connection = connectionOf(request_->pe);
    return connection == nullptr || one(*connection);
  }

  // How many answers will come. To be known before the first is asked for.
  template <class ConnectionOf>
  static uint32_t answers(const mtshmemi_request_t& request, int pes, const ConnectionOf& connectionOf) {
    if (request.operation != MTSHMEMI_FLUSH) return answersOfOne(request);
    uint32_t count = 0;
    for (int pe = 0; pe < pes; ++pe) count += connectionOf(pe) != nullptr;
    return count;
  }

 private:
  template <class ConnectionOf>
  bool flush(int pes, const ConnectionOf& connectionOf) {
    for (; at_ < static_cast<uint64_t>(pes); ++at_) {
      Connection* const connection = connectionOf(static_cast<int>(at_));
      if (connection == nullptr) continue;
      Message message;
      message.kind = Kind::kFlush;
      message.request = reinterpret_cast<uint64_t>(request_);
      if (!connection->trySay(message, nullptr)) return false;
    }
    return true;
  }
  static uint32_t answersOfOne(const mtshmemi_request_t& request);
  bool one(Connection& connection);

  mtshmemi_request_t* request_;
  uint64_t at_ = 0;  // bytes that are said; of a flush: PEs
};

}  // namespace musashim::mtshmem
