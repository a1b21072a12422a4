// Buffers that the program gives, filled with records one behind the other, and given back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <mutex>

#include "mupti.h"

namespace musashim::mupti {

// Bytes of a record; 0: no record of that kind is ever written.
size_t recordBytes(MUpti_ActivityKind kind);

class Buffers {
 public:
  MUptiResult setCallbacks(MUpti_BuffersCallbackRequestFunc request,
                           MUpti_BuffersCallbackCompleteFunc complete);

  // Copies a record to where the next one goes. Without room it is counted.
  template <class Record>
  void add(const Record& record) {
    static_assert(sizeof(Record) % 8 == 0);
    add(&record, sizeof record);
  }
  // Gives the program what is there.
  void flush();
  size_t takeDropped();

 private:
  struct Full {
    MUpti_BuffersCallbackCompleteFunc complete = nullptr;
    uint8_t* buffer = nullptr;
    size_t size = 0, used = 0;

    void give() const {
      if (buffer != nullptr) complete(nullptr, 0, buffer, size, used);
    }
  };

  void add(const void* record, size_t bytes);
  Full take();  // with mutex_

  std::mutex mutex_;
  MUpti_BuffersCallbackRequestFunc request_ = nullptr;
  MUpti_BuffersCallbackCompleteFunc complete_ = nullptr;
  uint8_t* buffer_ = nullptr;
  size_t size_ = 0, used_ = 0;
  size_t most_ = 0, count_ = 0;  // records; 0: as many as there is room for
  size_t dropped_ = 0;
};

Buffers& buffers();

}  // namespace musashim::mupti
