#include "mtshmem/job/net_job.h"

#include <sys/socket.h>

#include <chrono>
#include <stdexcept>
#include <thread>

#include "mtshmem/job/meeting.h"

namespace musashim::mtshmem {

NetJob::NetJob(const JobPlace& place) : place_(place) {
  mccl::SocketAddress address;
  MeetingHello hello;
  if (!parseMeetingPlace(place.meeting, address, hello))
    throw std::runtime_error("'" + place.meeting + "' is no place to meet at");
  hello.me = place.me;
  hello.size = place.size;
  const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(bootstrapSeconds());
  while (!socket_) {
    socket_ = mccl::connectTcp(address, std::chrono::seconds(5));
    if (socket_) break;
    if (std::chrono::steady_clock::now() > until) {
      throw std::runtime_error("cannot connect to " + address.text() +
                               ", where the PEs meet; choose an interface that all hosts reach with "
                               "MCCL_SOCKET_IFNAME, and let the firewall pass all TCP ports between them");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  if (!mccl::sendAll(socket_.get(), &hello, sizeof hello)) throw std::runtime_error("the meeting has ended");
  barrier();
}

void NetJob::hear(void* data, std::size_t bytes) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(bootstrapSeconds());
  const auto wait = [&] { return !isFirst_ || std::chrono::steady_clock::now() < until; };
  if (mccl::receiveAll(socket_.get(), data, bytes, wait)) return;
  throw std::runtime_error(isFirst_ ? "not all PEs came; were all started, with the same number of PEs? "
                                      "(MTSHMEM_BOOTSTRAP_TIMEOUT: seconds)"
                                    : "a PE ended while others wait for it");
}

std::vector<Card> NetJob::exchange(const Card& mine) {
  const auto bytes = static_cast<uint32_t>(mine.size());
  if (!mccl::sendAll(socket_.get(), &bytes, sizeof bytes) ||
      !mccl::sendAll(socket_.get(), mine.data(), bytes))
    throw std::runtime_error("the meeting has ended");
  std::vector<Card> cards;
  for (int pe = 0; pe < place_.size; ++pe) {
    uint32_t size = 0;
    hear(&size, sizeof size);
    if (size == MeetingWords::kOneIsMissing) {
      hear(&size, sizeof size);
      throw std::runtime_error("PE " + std::to_string(size) + " ended while others wait for it");
    }
    cards.emplace_back(size);
    hear(cards.back().data(), size);
    isFirst_ = false;
  }
  return cards;
}

void NetJob::barrier() { (void)exchange({}); }

// Only looks: what was said is for exchange().
int NetJob::lostPe() {
  uint32_t words[2];
  const ssize_t heard = recv(socket_.get(), words, sizeof words, MSG_PEEK | MSG_DONTWAIT);
  if (heard == sizeof words && words[0] == MeetingWords::kOneIsMissing) return static_cast<int>(words[1]);
  return -1;
}

void NetJob::leave() {
  const uint32_t word = MeetingWords::kLeaves;
  (void)mccl::sendAll(socket_.get(), &word, sizeof word);
}

}  // namespace musashim::mtshmem
