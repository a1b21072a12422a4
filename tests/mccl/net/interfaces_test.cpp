#include "mccl/net/interfaces.h"

#include <gtest/gtest.h>

#include "mccl/net/address.h"

namespace musashim::mccl {
namespace {

TEST(Interfaces, AListTakesBeginningsNamesOrAllOthers) {
  EXPECT_TRUE(takesInterface("eth", "eth0"));
  EXPECT_TRUE(takesInterface("ib,eth", "eth12"));
  EXPECT_FALSE(takesInterface("ib,eth", "docker0"));
  EXPECT_TRUE(takesInterface("=eth0,eth1", "eth1"));
  EXPECT_FALSE(takesInterface("=eth", "eth0"));
  EXPECT_FALSE(takesInterface("^docker,lo", "docker0"));
  EXPECT_FALSE(takesInterface("^docker,lo", "lo"));
  EXPECT_TRUE(takesInterface("^docker,lo", "eth0"));
  EXPECT_TRUE(takesInterface("^=lo", "lo1"));
  EXPECT_FALSE(takesInterface("", "lo"));
}

TEST(Address, IsWrittenAndReadAlike) {
  for (const char* text : {"127.0.0.1:7000", "[::1]:65535"}) {
    SocketAddress address;
    ASSERT_TRUE(parseAddress(text, AF_UNSPEC, address)) << text;
    EXPECT_EQ(address.text(), text);
    EXPECT_TRUE(address.isLoopback());
  }
  SocketAddress address;
  for (const char* text : {"", "127.0.0.1", "127.0.0.1:", ":80", "127.0.0.1:0", "127.0.0.1:65536",
                           "127.0.0.1:80x", "no such host:80"}) {
    EXPECT_FALSE(parseAddress(text, AF_UNSPEC, address)) << text;
  }
  EXPECT_FALSE(parseAddress("127.0.0.1:80", AF_INET6, address));
}

}  // namespace
}  // namespace musashim::mccl
