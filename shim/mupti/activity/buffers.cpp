#include "mupti/activity/buffers.h"

#include <utility>

namespace musashim::mupti {

size_t recordBytes(MUpti_ActivityKind kind) {
  switch (kind) {
    case MUPTI_ACTIVITY_KIND_KERNEL:
    case MUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
      return sizeof(MUpti_ActivityKernel11);
    case MUPTI_ACTIVITY_KIND_MEMCPY:
      return sizeof(MUpti_ActivityMemcpy5);
    case MUPTI_ACTIVITY_KIND_MEMCPY2:
      return sizeof(MUpti_ActivityMemcpyPtoP4);
    case MUPTI_ACTIVITY_KIND_MEMSET:
      return sizeof(MUpti_ActivityMemset4);
    case MUPTI_ACTIVITY_KIND_RUNTIME:
    case MUPTI_ACTIVITY_KIND_DRIVER:
      return sizeof(MUpti_ActivityAPI);
    case MUPTI_ACTIVITY_KIND_MARKER:
      return sizeof(MUpti_ActivityMarker2);
    case MUPTI_ACTIVITY_KIND_OVERHEAD:
      return sizeof(MUpti_ActivityOverhead);
    case MUPTI_ACTIVITY_KIND_SYNCHRONIZATION:
      return sizeof(MUpti_ActivitySynchronization);
    case MUPTI_ACTIVITY_KIND_MUSA_EVENT:
      return sizeof(MUpti_ActivityMusaEvent2);
    case MUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION:
      return sizeof(MUpti_ActivityExternalCorrelation);
    case MUPTI_ACTIVITY_KIND_DEVICE:
      return sizeof(MUpti_ActivityDevice5);
    case MUPTI_ACTIVITY_KIND_CONTEXT:
      return sizeof(MUpti_ActivityContext2);
    case MUPTI_ACTIVITY_KIND_STREAM:
      return sizeof(MUpti_ActivityStream);
    case MUPTI_ACTIVITY_KIND_MEMORY2:
      return sizeof(MUpti_ActivityMemory3);
    case MUPTI_ACTIVITY_KIND_MEMORY_ATOMIC:
      return sizeof(MUpti_ActivityMemoryAtomic);
    case MUPTI_ACTIVITY_KIND_MEMORY_ATOMIC_VALUE:
      return sizeof(MUpti_ActivityMemoryAtomicValue);
    case MUPTI_ACTIVITY_KIND_MEMORY_TRANSFER:
      return sizeof(MUpti_ActivityMemoryTransfer);
    default:
      return 0;
  }
}

MUptiResult Buffers::setCallbacks(MUpti_BuffersCallbackRequestFunc request,
                                  MUpti_BuffersCallbackCompleteFunc complete) {
  if (request == nullptr || complete == nullptr) return MUPTI_ERROR_INVALID_PARAMETER;
  flush();
  const std::lock_guard lock(mutex_);
  request_ = request;
  complete_ = complete;
  return MUPTI_SUCCESS;
}

Buffers::Full Buffers::take() {
  const Full full{complete_, std::exchange(buffer_, nullptr), std::exchange(size_, 0),
                  std::exchange(used_, 0)};
  count_ = most_ = 0;
  return full;
}

void Buffers::add(const void* record, size_t bytes) {
  Full full;
  {
    const std::lock_guard lock(mutex_);
    if (buffer_ != nullptr && (size_ - used_ < bytes || (most_ > 0 && count_ >= most_))) full = take();
    if (buffer_ == nullptr && request_ != nullptr) {
      request_(&buffer_, &size_, &most_);
      if (buffer_ == nullptr) size_ = 0;
    }
    if (size_ - used_ >= bytes) {
      std::memcpy(buffer_ + used_, record, bytes);
      used_ += bytes;
      ++count_;
    } else {
      ++dropped_;
    }
  }
  full.give();  // which may come back to us
}

void Buffers::flush() {
  Full full;
  {
    const std::lock_guard lock(mutex_);
    full = take();
  }
  full.give();
}

size_t Buffers::takeDropped() {
  const std::lock_guard lock(mutex_);
  return std::exchange(dropped_, 0);
}

Buffers& buffers() {
  static auto& all = *new Buffers;
  return all;
}

}  // namespace musashim::mupti
