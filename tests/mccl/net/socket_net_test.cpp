// The network layer on TCP, between two ends in one process.
#include "mccl/net/socket_net.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <thread>
#include <vector>

#include "mccl/bootstrap/socket.h"
#include "mccl/core/log.h"

namespace musashim::mccl {
namespace {

struct SocketNetTest : testing::Test {
  void SetUp() override {
    ASSERT_GT(net.devices(), 0);
    NetHandle handle;
    ASSERT_EQ(net.listen(0, handle, listening), mcclSuccess);
    ASSERT_EQ(net.connect(0, handle, out), mcclSuccess);
    while (!in) ASSERT_EQ(net.accept(listening, in), mcclSuccess);
  }
  void TearDown() override {
    if (out) net.closeSend(out);
    if (in) net.closeRecv(in);
    if (listening) net.closeListen(listening);
  }

  void* send(const std::vector<char>& data, int tag) {
    void* request = nullptr;
    EXPECT_EQ(net.isend(out, data.data(), data.size(), tag, nullptr, request), mcclSuccess);
    return request;
  }
  void* receive(std::vector<char>& data, int tag) {
    void* request = nullptr;
    EXPECT_EQ(net.irecv(in, data.data(), data.size(), tag, nullptr, request), mcclSuccess);
    return request;
  }
  // The result of the first that fails, or success when all are done.
  mcclResult_t finish(std::vector<void*> requests, std::vector<size_t>* bytes = nullptr) {
    if (bytes) bytes->assign(requests.size(), 0);
    for (size_t left = requests.size(); left > 0;) {
      for (size_t i = 0; i < requests.size(); ++i) {
        bool done = false;
        size_t got = 0;
        if (!requests[i]) continue;
        if (const mcclResult_t result = net.test(requests[i], done, got); result != mcclSuccess)
          return result;
        if (!done) continue;
        if (bytes) (*bytes)[i] = got;
        requests[i] = nullptr;
        --left;
      }
    }
    return mcclSuccess;
  }

  SocketNet net;
  void *listening = nullptr, *out = nullptr, *in = nullptr;
};

std::vector<char> randomData(size_t bytes, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<char> data(bytes);
  for (char& byte : data) byte = static_cast<char>(random());
  return data;
}

TEST_F(SocketNetTest, MessagesOfAllSizesArriveInOrder) {
  std::vector<std::vector<char>> sent, got;
  std::vector<void*> requests;
  unsigned seed = 0;
  for (const size_t bytes : {0, 1, 15, 16, 17, 4096, 100000, 0, 3000000, 8, 65536, 65535}) {
    sent.push_back(randomData(bytes, seed++));
    got.emplace_back(bytes);
  }
  for (size_t i = 0; i < sent.size(); ++i) requests.push_back(send(sent[i], static_cast<int>(i)));
  for (size_t i = 0; i < sent.size(); ++i) requests.push_back(receive(got[i], static_cast<int>(i)));
  EXPECT_EQ(finish(requests), mcclSuccess);
  EXPECT_EQ(got, sent);
}

// A receive may have more room than the message needs; what comes behind it is not lost.
TEST_F(SocketNetTest, MessagesMayBeShorterThanTheRoomForThem) {
  std::vector<std::vector<char>> sent, got;
  std::vector<void*> requests;
  for (unsigned i = 0; i < 50; ++i) {
    sent.push_back(randomData(i * 7 % 40, i));
    requests.push_back(send(sent.back(), 5));
    got.emplace_back(100);
  }
  EXPECT_EQ(finish(requests), mcclSuccess);
  requests.clear();
  for (std::vector<char>& data : got) requests.push_back(receive(data, 5));
  std::vector<size_t> bytes;
  EXPECT_EQ(finish(requests, &bytes), mcclSuccess);
  for (size_t i = 0; i < got.size(); ++i) {
    got[i].resize(bytes[i]);
    EXPECT_EQ(got[i], sent[i]);
  }
}

TEST_F(SocketNetTest, MessagesThatDoNotFitOrBelongElsewhereAreErrors) {
  const std::vector<char> data(100);
  std::vector<char> little(50), room(100);
  (void)send(data, 1);
  EXPECT_EQ(finish({receive(little, 1)}), mcclInvalidUsage);
  EXPECT_NE(lastError().find("100 bytes, and 50 are expected"), std::string::npos) << lastError();
}

TEST_F(SocketNetTest, AMessageOfAnotherCallIsAnError) {
  const std::vector<char> data(100);
  std::vector<char> room(100);
  (void)send(data, 1);
  EXPECT_EQ(finish({receive(room, 2)}), mcclInvalidUsage);
}

TEST_F(SocketNetTest, AnEndThatClosesIsReported) {
  std::vector<char> room(100);
  void* const request = receive(room, 1);
  net.closeSend(out);
  out = nullptr;
  EXPECT_EQ(finish({request}), mcclRemoteError);
  EXPECT_NE(lastError().find("closed the connection"), std::string::npos) << lastError();
}

// Whoever does not know the handle's secret is not taken for the peer.
TEST_F(SocketNetTest, StrangersAreNotAccepted) {
  void* second = nullptr;
  NetHandle handle;
  ASSERT_EQ(net.listen(0, handle, second), mcclSuccess);
  SocketAddress address;
  std::memcpy(static_cast<void*>(&address), handle.bytes, sizeof address);
  const Fd stranger = connectTcp(address, std::chrono::seconds(5));
  const std::vector<char> words(64, 'x');
  ASSERT_TRUE(sendAll(stranger.get(), words.data(), words.size()));
  void* accepted = nullptr;
  for (int i = 0; i < 50 && !accepted; ++i) {
    ASSERT_EQ(net.accept(second, accepted), mcclSuccess);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_EQ(accepted, nullptr);
  void* known = nullptr;
  ASSERT_EQ(net.connect(0, handle, known), mcclSuccess);
  while (!accepted) ASSERT_EQ(net.accept(second, accepted), mcclSuccess);
  net.closeSend(known);
  net.closeRecv(accepted);
  net.closeListen(second);
}

}  // namespace
}  // namespace musashim::mccl
