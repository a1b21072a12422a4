#include "mccl/net/ib/hca_list.h"

#include <algorithm>
#include <charconv>

namespace musashim::mccl {
namespace {

// "name" or "name:port"; what follows a second colon (rail, plane) chooses nothing here.
bool matches(std::string_view one, bool isExact, std::string_view device, int port) {
  const size_t colon = std::min(one.find(':'), one.size());
  const std::string_view name = one.substr(0, colon);
  if (name.empty() || (isExact ? device != name : !device.starts_with(name))) return false;
  if (colon == one.size()) return true;
  int wanted = -1;
  const std::string_view rest = one.substr(colon + 1);
  (void)std::from_chars(rest.data(), rest.data() + rest.size(), wanted);
  return wanted == -1 || wanted == port;
}

}  // namespace

bool takesHca(std::string_view list, std::string_view device, int port) {
  const bool excludes = list.starts_with('^');
  if (excludes) list.remove_prefix(1);
  const bool isExact = list.starts_with('=');
  if (isExact) list.remove_prefix(1);
  if (list.empty()) return true;
  bool isListed = false;
  while (!list.empty()) {
    const size_t comma = std::min(list.find(','), list.size());
    isListed = isListed || matches(list.substr(0, comma), isExact, device, port);
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return isListed != excludes;
}

}  // namespace musashim::mccl
