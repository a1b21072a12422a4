#include "musa/context/visible_devices.h"

#include <gtest/gtest.h>

namespace musashim::musa {
namespace {

const std::vector<std::string> kUuids = {"GPU-aaaa-1", "GPU-aaaa-2", "GPU-bbbb-3"};

TEST(VisibleDevices, Lists) {
  struct {
    const char* list;
    std::vector<size_t> expected;
  } rows[] = {{"0,1,2", {0, 1, 2}},
              {"2,0", {2, 0}},
              {" 1 , 2 ", {1, 2}},
              {"", {}},
              {"1,7,2", {1}},   // ends at the first that does not exist
              {"1,-1,2", {1}},  // the usual way to end it
              {"1,1", {1}},     // twice
              {"1,x", {1}},
              {"GPU-bbbb", {2}},  // the beginning is enough
              {"GPU-aaaa", {}},   // but not when two have it
              {"GPU-aaaa-2,0", {1, 0}}};
  for (const auto& row : rows) EXPECT_EQ(parseVisibleDevices(row.list, kUuids), row.expected) << row.list;
}

TEST(VisibleDevices, UuidText) {
  MUuuid uuid = {};
  uuid.bytes[0] = 0x12;
  uuid.bytes[15] = static_cast<char>(0xff);
  EXPECT_EQ(uuidText(uuid), "GPU-12000000-0000-0000-0000-0000000000ff");
}

}  // namespace
}  // namespace musashim::musa
