// Streams for extensions: c10::musa::MUSAStream, at::musa::getCurrentMUSAStream().
#pragma once

#include "torch_musa/csrc/core/Device.h"
#include "torch_musa/csrc/core/SyncDebug.h"

namespace c10::musa {

class MUSAStream {
 public:
  explicit MUSAStream(const Stream& stream) : stream_(stream) {}
  musaStream_t stream() const { return nativeStream(stream_); }
  operator musaStream_t() const { return stream(); }
  operator Stream() const { return stream_; }
  Stream unwrap() const { return stream_; }
  DeviceIndex device_index() const { return stream_.device_index(); }
  Device device() const { return stream_.device(); }
  StreamId id() const { return stream_.id(); }
  bool query() const { return musaStreamQuery(stream()) == musaSuccess; }
  void synchronize() const {
    tellSynchronizing();
    C10_MUSA_CHECK(musaStreamSynchronize(stream()));
  }
  bool operator==(const MUSAStream& other) const { return stream_ == other.stream_; }

 private:
  Stream stream_;
};

inline MUSAStream getCurrentMUSAStream(DeviceIndex device = -1) { return MUSAStream(currentStream(device)); }
inline MUSAStream getDefaultMUSAStream(DeviceIndex device = -1) {
  return MUSAStream(Stream(Stream::DEFAULT, {kDevice, device < 0 ? current_device() : device}));
}
inline MUSAStream getStreamFromPool(bool highPriority = false, DeviceIndex device = -1) {
  return MUSAStream(pooledStream(device, highPriority));
}
inline void setCurrentMUSAStream(const MUSAStream& stream) { setCurrentStream(stream.unwrap()); }

}  // namespace c10::musa

namespace at::musa {
using c10::musa::getCurrentMUSAStream;
using c10::musa::getDefaultMUSAStream;
using c10::musa::getStreamFromPool;
using c10::musa::MUSAStream;
using c10::musa::setCurrentMUSAStream;
}  // namespace at::musa
