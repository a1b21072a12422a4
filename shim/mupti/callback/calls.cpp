#include "mupti/callback/calls.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace musashim::mupti {
namespace {

const Call* find(std::span<const Call> calls, std::string_view name) {
  const auto found =
      std::lower_bound(calls.begin(), calls.end(), name,
                       [](const Call& call, std::string_view wanted) { return call.name < wanted; });
  return found != calls.end() && found->name == name ? &*found : nullptr;
}

}  // namespace

const Call* findCall(const MUshimCall& call, MUpti_CallbackDomain& domain) {
  const std::string_view library = call.library;
  if (library == "musart") {
    domain = MUPTI_CB_DOMAIN_RUNTIME_API;
    return find(runtimeCalls(), call.name);
  }
  if (library != "musa") return nullptr;
  domain = MUPTI_CB_DOMAIN_DRIVER_API;
  std::string_view name = call.name;
  const Call* found = find(driverCalls(), name);
  if (found == nullptr && name.size() > 3 && name[name.size() - 3] == '_' && name[name.size() - 2] == 'v')
    found = find(driverCalls(), name.substr(0, name.size() - 3));
  return found;
}

bool layOut(const Call& known, const MUshimCall& call, std::vector<uint64_t>& room) {
  if (call.arguments == nullptr || call.argumentCount != known.partCount) return false;
  size_t end = 0;
  for (unsigned i = 0; i < known.partCount; ++i) {
    const Part& part = known.parts[i];
    if (call.argumentBytes[i] != part.bytes) return false;
    end = (end + part.alignment - 1) / part.alignment * part.alignment + part.bytes;
  }
  room.assign((end + 7) / 8, 0);
  auto* const bytes = reinterpret_cast<std::byte*>(room.data());
  end = 0;
  for (unsigned i = 0; i < known.partCount; ++i) {
    const Part& part = known.parts[i];
    end = (end + part.alignment - 1) / part.alignment * part.alignment;
    std::memcpy(bytes + end, call.arguments[i], part.bytes);
    end += part.bytes;
  }
  return true;
}

}  // namespace musashim::mupti
