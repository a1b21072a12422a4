// Records as few bytes: what differs from the record before of the same sort. A launch of a small kernel, of
// some 300 ns, leaves two records; memory that is written to for the first time costs more than all the rest
// of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>

#include "musa/trace/recorder.h"

namespace musashim::musa {

inline constexpr size_t kShortestRecord = 4, kLongestRecord = 80;  // bytes

// Of a stretch of records; both sides begin with a new one.
class RecordCodec {
 public:
  // Writes `record` to `to` and returns the place behind it.
  [[gnu::always_inline]] uint8_t* encode(const Record& record, uint8_t* to) {
    Record& before = of(record.kind);
    const auto later = static_cast<uint64_t>(record.begin - before.begin);
    const auto took = static_cast<uint64_t>(record.end - record.begin);
    if (isNext(record, before) && later < kLaterEnd && took < kTookEnd) [[likely]] {
      const uint64_t word =
          static_cast<uint64_t>(record.kind) | kNext | took << kTookShift | later << kLaterShift;
      before.begin = record.begin;
      before.correlation = record.correlation;
      return raw(&word, sizeof word, to);
    }
    return encodeDifferences(record, before, to);
  }

  // Reads what encode() wrote.
  const uint8_t* decode(const uint8_t* from, Record& record) {
    const uint8_t flags = *from++;
    const auto kind = static_cast<RecordKind>(flags & kKind);
    Record& before = of(kind);
    before.kind = kind;
    uint64_t value = 0;
    if (flags & kNext) {
      std::memcpy(&value, from - 1, sizeof value);
      before.begin += static_cast<int64_t>(value >> kLaterShift);
      before.end = before.begin + static_cast<int64_t>(value >> kTookShift & (kTookEnd - 1));
      ++before.correlation;
      record = before;
      return from - 1 + sizeof value;
    }
    from = number(from, value);
    before.begin += unzigzag(value);
    from = number(from, value);
    before.end = before.begin + static_cast<int64_t>(value);
    from = number(from, value);
    before.correlation = static_cast<uint32_t>(int64_t{before.correlation} + unzigzag(value));
    if (flags & kName) from = raw(from, &before.name, sizeof before.name);
    if (flags & kLane) {
      from = raw(from, &before.lane, sizeof before.lane);
      before.device = *from++;
    }
    if (flags & kOther) from = raw(from, before.words, kRest);
    record = before;
    return from;
  }

 private:
  enum Flags : uint8_t { kKind = 7, kNext = 8, kName = 16, kLane = 32, kOther = 64 };
  static constexpr size_t kRest = sizeof(Record::words);
  static_assert(sizeof(Record::other) == kRest && sizeof(Record::launch) == kRest);

  // A word with kNext: one more of the same, by the next call. Above the flags how long it took, and how much
  // later it began.
  static constexpr unsigned kTookShift = 4, kLaterShift = 32;
  static constexpr uint64_t kTookEnd = uint64_t{1} << (kLaterShift - kTookShift),
                            kLaterEnd = uint64_t{1} << (64 - kLaterShift);

  // In one look: differences are rare.
  static bool isNext(const Record& record, const Record& before) {
    uint64_t differences =
        reinterpret_cast<uintptr_t>(record.name) ^ reinterpret_cast<uintptr_t>(before.name);
    differences |= record.lane ^ before.lane;
    differences |= static_cast<uint64_t>(record.device ^ before.device);
    differences |= record.correlation ^ (before.correlation + 1);
    for (size_t i = 0; i < std::size(record.words); ++i) differences |= record.words[i] ^ before.words[i];
    return differences == 0;
  }

  [[gnu::noinline]] static uint8_t* encodeDifferences(const Record& record, Record& before, uint8_t* to) {
    uint8_t flags = static_cast<uint8_t>(record.kind);
    if (record.name != before.name) flags |= kName;
    if (record.lane != before.lane || record.device != before.device) flags |= kLane;
    if (std::memcmp(record.words, before.words, kRest) != 0) flags |= kOther;
    *to++ = flags;
    to = number(zigzag(record.begin - before.begin), to);
    to = number(static_cast<uint64_t>(record.end - record.begin), to);
    to = number(zigzag(int64_t{record.correlation} - int64_t{before.correlation}), to);
    if (flags & kName) to = raw(&record.name, sizeof record.name, to);
    if (flags & kLane) {
      to = raw(&record.lane, sizeof record.lane, to);
      *to++ = record.device;
    }
    if (flags & kOther) to = raw(record.words, kRest, to);
    before = record;
    return to;
  }

  Record& of(RecordKind kind) { return before_[static_cast<size_t>(kind)]; }

  static uint64_t zigzag(int64_t value) {
    return static_cast<uint64_t>(value) << 1 ^ static_cast<uint64_t>(value >> 63);
  }
  static int64_t unzigzag(uint64_t value) {
    return static_cast<int64_t>(value >> 1) ^ -static_cast<int64_t>(value & 1);
  }

  // Seven bits in a byte, the lowest first.
  static uint8_t* number(uint64_t value, uint8_t* to) {
    for (; value >= 128; value >>= 7) *to++ = static_cast<uint8_t>(value | 128);
    *to++ = static_cast<uint8_t>(value);
    return to;
  }
  static const uint8_t* number(const uint8_t* from, uint64_t& value) {
    value = 0;
    for (unsigned shift = 0;; shift += 7) {
      value |= static_cast<uint64_t>(*from & 127) << shift;
      if (*from++ < 128) return from;
    }
  }
  static uint8_t* raw(const void* data, size_t bytes, uint8_t* to) {
    std::memcpy(to, data, bytes);
    return to + bytes;
  }
  static const uint8_t* raw(const uint8_t* from, void* data, size_t bytes) {
    std::memcpy(data, from, bytes);
    return from + bytes;
  }

  Record before_[8] = {};  // by kind
};

}  // namespace musashim::musa
