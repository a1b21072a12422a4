#include "mccl/hosts/agreement.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "mccl/bootstrap/mail.h"
#include "mccl/core/log.h"
#include "mccl/hosts/schedule.h"

namespace musashim::mccl {
namespace {

enum Number : uint64_t { kOwn = 0, kOfAll = 1 };  // of letters

void append(std::vector<char>& text, const void* data, size_t bytes) {
  const char* const begin = static_cast<const char*>(data);
  text.insert(text.end(), begin, begin + bytes);
}

}  // namespace

// Then the ranks of each channel, host by host: rings, and trees.
struct Agreement::Header {
  uint32_t channels = 1;
  float latencyUs = 0, bytesPerUs = 0;
};

Agreement::Agreement(const Roster& roster, const HostMap& hosts, const ChannelPlan& own)
    : roster_(roster),
      hosts_(hosts),
      orders_(static_cast<size_t>(hosts.count())),
      isHere_(static_cast<size_t>(hosts.count())) {
  const std::vector<int>& here = hosts.at(hosts.own()).ranks;
  // All of it has to fit into a letter.
  const size_t most = (kMostMail - sizeof(Header)) / (2 * sizeof(uint16_t) * roster.ranks.size());
  fabric_ = {std::clamp(static_cast<int>(most), 1, own.channels()), own.latencyUs, own.bytesPerUs};
  Orders& orders = at(hosts.own());
  orders.rings.assign(static_cast<size_t>(fabric_.channels), here);
  orders.trees = orders.rings;
  for (size_t channel = 0; channel < own.rings.size() && channel < orders.rings.size(); ++channel) {
    for (size_t place = 0; place < here.size(); ++place) {
      orders.rings[channel][place] = here[static_cast<size_t>(own.rings[channel][place])];
      orders.trees[channel][place] = here[static_cast<size_t>(own.trees[channel][place])];
    }
  }
  isHere_[static_cast<size_t>(hosts.own())] = true;
}

mcclResult_t Agreement::progress() { return hosts_.own() == 0 ? collect() : ask(); }

mcclResult_t Agreement::collect() {
  const int own = hosts_.at(0).leader();
  for (int host = 1; host < hosts_.count(); ++host) {
    if (isHere_[static_cast<size_t>(host)]) continue;
    const int leader = hosts_.at(host).leader();
    std::vector<char> text;
    if (!Mail::take(roster_, leader, own, MailKind::kChannels, kOwn, text)) return mcclSuccess;
    Header header;
    if (!read(text, host, host + 1, header)) {
      failedPeer_ = leader;
      return fail(mcclInternalError, "{} tells of channels in {} bytes", leader, text.size());
    }
    merge(header);
    isHere_[static_cast<size_t>(host)] = true;
  }
  for (Orders& orders : orders_) {
    orders.rings.resize(static_cast<size_t>(fabric_.channels));
    orders.trees.resize(static_cast<size_t>(fabric_.channels));
  }
  const Header header{static_cast<uint32_t>(fabric_.channels), static_cast<float>(fabric_.latencyUs),
                      static_cast<float>(fabric_.bytesPerUs)};
  const std::vector<char> text = textOf(header, 0, hosts_.count());
  for (int host = 1; host < hosts_.count(); ++host) MCCL_RETURN_IF_ERROR(tell(host, kOfAll, text));
  isReached_ = true;
  return mcclSuccess;
}

// The least that any host has, and the most that a message takes one.
void Agreement::merge(const Header& header) {
  fabric_.channels = std::min(fabric_.channels, static_cast<int>(header.channels));
  fabric_.latencyUs = std::max(fabric_.latencyUs, static_cast<double>(header.latencyUs));
  fabric_.bytesPerUs = std::min(fabric_.bytesPerUs, static_cast<double>(header.bytesPerUs));
}

mcclResult_t Agreement::ask() {
  if (!hasAsked_) {
    const Header header{static_cast<uint32_t>(fabric_.channels), static_cast<float>(fabric_.latencyUs),
                        static_cast<float>(fabric_.bytesPerUs)};
    MCCL_RETURN_IF_ERROR(tell(0, kOwn, textOf(header, hosts_.own(), hosts_.own() + 1)));
    hasAsked_ = true;
  }
  const int first = hosts_.at(0).leader(), own = hosts_.at(hosts_.own()).leader();
  std::vector<char> text;
  if (!Mail::take(roster_, first, own, MailKind::kChannels, kOfAll, text)) return mcclSuccess;
  Header header;
  if (!read(text, 0, hosts_.count(), header)) {
    failedPeer_ = first;
    return fail(mcclInternalError, "{} tells of channels in {} bytes", first, text.size());
  }
  fabric_ = {static_cast<int>(header.channels), header.latencyUs, header.bytesPerUs};
  isReached_ = true;
  return mcclSuccess;
}

mcclResult_t Agreement::tell(int host, uint64_t number, const std::vector<char>& text) {
  const int own = hosts_.at(hosts_.own()).leader(), leader = hosts_.at(host).leader();
  if (Mail::post(roster_, own, leader, MailKind::kChannels, number, text)) return mcclSuccess;
  failedPeer_ = leader;
  const RankInfo& info = roster_.ranks[static_cast<size_t>(leader)];
  return fail(mcclRemoteError, "Bootstrap : {} does not answer at {}: {}", info.describe(leader),
              info.address.text(), std::strerror(errno));
}

std::vector<char> Agreement::textOf(const Header& header, int firstHost, int lastHost) const {
  std::vector<char> text;
  append(text, &header, sizeof header);
  for (int host = firstHost; host < lastHost; ++host) {
    for (const auto* orders : {&at(host).rings, &at(host).trees}) {
      for (const std::vector<int>& order : *orders) {
        for (const int rank : order) {
          const auto number = static_cast<uint16_t>(rank);
          append(text, &number, sizeof number);
        }
      }
    }
  }
  return text;
}

bool Agreement::read(std::span<const char> text, int firstHost, int lastHost, Header& header) {
  if (text.size() < sizeof header) return false;
  std::memcpy(&header, text.data(), sizeof header);
  text = text.subspan(sizeof header);
  if (header.channels < 1 || header.channels > kMostHostChannels) return false;
  for (int host = firstHost; host < lastHost; ++host) {
    const std::vector<int>& ranks = hosts_.at(host).ranks;
    for (auto* orders : {&at(host).rings, &at(host).trees}) {
      orders->assign(header.channels, ranks);
      for (std::vector<int>& order : *orders) {
        for (int& rank : order) {
          uint16_t number = 0;
          if (text.size() < sizeof number) return false;
          std::memcpy(&number, text.data(), sizeof number);
          text = text.subspan(sizeof number);
          rank = number;
        }
        if (!std::ranges::is_permutation(order, ranks)) return false;
      }
    }
  }
  return text.empty();
}

// A chain's place: children, itself and its parent, in NCCL's notation. The first of the chain stands for its
// host in a tree of the hosts.
std::string Agreement::treeAt(int rank, int channel, int tree) const {
  const std::vector<int>& chain = this->tree(hosts_.own(), channel);
  const auto here = std::ranges::find(chain, rank);
  int up = here == chain.begin() ? -1 : *(here - 1);
  std::vector<int> down;
  if (here + 1 != chain.end()) down.push_back(*(here + 1));
  if (here == chain.begin()) {
    const TreePlace place = treePlace(hosts_.count(), hosts_.own(), 0, tree);
    if (place.parent >= 0) up = this->tree(place.parent, channel).front();
    for (const int child : place.children) down.push_back(this->tree(child, channel).front());
  }
  down.resize(3, -1);
  return fmt::format("{}->{}->{}", fmt::join(down, "/"), rank, up);
}

void Agreement::report() const {
  for (int channel = 0; hosts_.own() == 0 && channel < fabric_.channels; ++channel) {
    std::vector<int> all;
    for (int host = 0; host < hosts_.count(); ++host)
      all.insert(all.end(), ring(host, channel).begin(), ring(host, channel).end());
    logInfo(kInit, "Channel {:02}/{:02} : {}", channel, fabric_.channels, fmt::join(all, " "));
  }
  for (const int rank : hosts_.at(hosts_.own()).ranks) {
    std::string line = "Trees";
    for (int tree = 0; tree < 2; ++tree) {
      for (int channel = 0; channel < fabric_.channels; ++channel)
        line += fmt::format(" [{}] {}", tree * fabric_.channels + channel, treeAt(rank, channel, tree));
    }
    logInfo(kInit, "{}", line);
  }
  logInfo(kInit, "{} coll channels, {} p2p channels; a message takes {:.0f} us, and hosts {:.1f} GB/s",
          fabric_.channels, 1, fabric_.latencyUs, fabric_.bytesPerUs / 1e3);
}

}  // namespace musashim::mccl
