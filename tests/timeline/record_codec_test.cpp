// Records in few bytes, and back.
#include "musa/trace/record_codec.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace musashim::musa {
namespace {

bool same(const Record& a, const Record& b) {
  return a.begin == b.begin && a.end == b.end && a.name == b.name && a.lane == b.lane &&
         a.correlation == b.correlation && a.device == b.device && a.kind == b.kind &&
         std::memcmp(&a.launch, &b.launch, sizeof a.launch) == 0;
}

TEST(RecordCodec, WhatIsWrittenIsRead) {
  static const char* const kNames[] = {"musaLaunchKernel", "k", nullptr};
  std::mt19937_64 random(7);
  std::vector<Record> records;
  int64_t time = int64_t{1} << 50;
  for (int i = 0; i < 20'000; ++i) {
    Record record = {};
    time += static_cast<int64_t>(random() % 1000) - 100;  // of a thread that others' commands come to
    record.begin = time;
    record.end = time + static_cast<int64_t>(random() >> (random() % 64));
    if (record.end < record.begin) record.end = record.begin;
    record.name = kNames[random() % 3];
    record.lane = random() % 4 == 0 ? random() : 5;
    record.correlation = static_cast<uint32_t>(random() >> (random() % 64));
    if (random() % 2 == 0 && !records.empty()) {  // one more of the same
      const Record& before = records.back();
      record = before;
      record.begin = before.begin + static_cast<int64_t>(random() >> (28 + random() % 36));
      record.end = record.begin + static_cast<int64_t>(random() >> (32 + random() % 32));
      ++record.correlation;
      records.push_back(record);
      continue;
    }
    record.device = static_cast<uint8_t>(random() % 3);
    record.kind = static_cast<RecordKind>(random() % 5);
    if (random() % 2 == 0) {
      record.launch.grid[0] = static_cast<uint32_t>(random());
      record.launch.block[2] = static_cast<uint16_t>(random());
      record.launch.sharedBytes = static_cast<uint32_t>(random());
    } else {
      record.other.detail = kNames[0];
      record.other.result = -5;
    }
    records.push_back(record);
  }
  std::vector<uint8_t> bytes(records.size() * kLongestRecord);
  RecordCodec writer, reader;
  uint8_t* to = bytes.data();
  for (const Record& record : records) {
    uint8_t* const next = writer.encode(record, to);
    ASSERT_LE(static_cast<size_t>(next - to), kLongestRecord);
    to = next;
  }
  const uint8_t* from = bytes.data();
  for (const Record& record : records) {
    Record read;
    from = reader.decode(from, read);
    ASSERT_TRUE(same(record, read));
  }
  EXPECT_EQ(from, to);
}

TEST(RecordCodec, WordsAreTheFields) {
  Record launch = {}, called = {};
  launch.setLaunch({0x12345678, 2, 3}, {1024, 64, 7}, 0x9abcdef0);
  EXPECT_EQ(launch.launch.grid[0], 0x12345678u);
  EXPECT_EQ(launch.launch.grid[1], 2u);
  EXPECT_EQ(launch.launch.grid[2], 3u);
  EXPECT_EQ(launch.launch.sharedBytes, 0x9abcdef0u);
  EXPECT_EQ(launch.launch.block[0], 1024);
  EXPECT_EQ(launch.launch.block[1], 64);
  EXPECT_EQ(launch.launch.block[2], 7);
  MUshimCall call = {};
  call.library = "mccl";
  call.bytes = uint64_t{1} << 40;
  call.ranks = 65535;
  call.member = 300;
  call.inGroup = 1;
  called.setCall(call, -7);
  EXPECT_EQ(called.other.detail, call.library);
  EXPECT_EQ(called.other.bytes, call.bytes);
  EXPECT_EQ(called.other.result, -7);
  EXPECT_EQ(called.other.ranks, 65535);
  EXPECT_EQ(called.other.member, 300);
  EXPECT_EQ(called.other.inGroup, 1);
  call.inGroup = 0;
  call.member = 0x7fff;
  called.setCall(call, 700);
  EXPECT_EQ(called.other.inGroup, 0);
  EXPECT_EQ(called.other.member, 0x7fff);
  EXPECT_EQ(called.other.result, 700);
}

TEST(RecordCodec, LaunchesOfOneKernelTakeFewBytes) {
  RecordCodec codec;
  uint8_t bytes[kLongestRecord];
  Record record = {};
  record.kind = RecordKind::kKernel;
  record.name = "k";
  codec.encode(record, bytes);
  record.begin += 500;
  record.end = record.begin + 100;
  ++record.correlation;
  EXPECT_LE(codec.encode(record, bytes) - bytes, 8);
}

}  // namespace
}  // namespace musashim::musa
