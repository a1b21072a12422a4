#include "mccl/engine/algorithm.h"

#include <strings.h>

#include <cstdlib>
#include <span>

#include "mccl/core/log.h"
#include "mccl/core/settings.h"

namespace musashim::mccl {
namespace {

// In the order of NCCL's numbers.
constexpr const char* kAlgorithms[] = {"Tree",     "Ring", "CollNetDirect", "CollNetChain", "NVLS",
                                       "NVLSTree", "PAT"};
constexpr const char* kProtocols[] = {"LL", "LL128", "Simple"};

int indexOf(const std::string& token, std::span<const char* const> names) {
  for (size_t i = 0; i < names.size(); ++i) {
    if (strcasecmp(token.c_str(), names[i]) == 0) return static_cast<int>(i);
  }
  char* end = nullptr;
  const long number = std::strtol(token.c_str(), &end, 10);
  const bool isNumber = !token.empty() && *end == '\0';
  return isNumber && number >= 0 && number < static_cast<long>(names.size()) ? static_cast<int>(number) : -1;
}

// "a,b" or "^a,b" as a set of bits; all when empty. A list for single functions,
// "allreduce:ring;...", sets what its last part says for all.
mcclResult_t parseList(const char* variable, std::string text, std::span<const char* const> names,
                       unsigned& set) {
  const unsigned all = (1u << names.size()) - 1;
  set = all;
  if (text.empty()) return mcclSuccess;
  if (const size_t part = text.rfind(';'); part != std::string::npos) text = text.substr(part + 1);
  if (const size_t colon = text.rfind(':'); colon != std::string::npos) text = text.substr(colon + 1);
  const bool excludes = text.starts_with("^");
  if (excludes) text.erase(0, 1);
  unsigned listed = 0;
  for (size_t at = 0; at <= text.size();) {
    const size_t comma = std::min(text.find(',', at), text.size());
    const std::string token = text.substr(at, comma - at);
    const int index = indexOf(token, names);
    if (index < 0) return fail(mcclInvalidUsage, "{}: Unrecognized element token \"{}\"", variable, token);
    listed |= 1u << index;
    at = comma + 1;
  }
  set = excludes ? all & ~listed : listed;
  return mcclSuccess;
}

struct Choice {
  mcclResult_t result = mcclSuccess;
  Algorithm algorithm = Algorithm::kDirect;
  std::string error;
};

// What a setting does, where the log tells about the environment.
void tell(const Choice& made) {
  constexpr const char* kOrders[] = {"in the order of the ranks", "around a ring", "as a tree"};
  if (!settings().algorithm.empty()) {
    logInfo(kEnv, "MCCL_ALGO set by environment to {}: elements are combined {}.", settings().algorithm,
            kOrders[static_cast<int>(made.algorithm)]);
  }
  if (!settings().protocol.empty()) {
    logInfo(kEnv, "MCCL_PROTO set by environment to {}: data moves in the same way with every protocol.",
            settings().protocol);
  }
}

const Choice& choice() {
  static const Choice* const kChoice = [] {
    auto* made = new Choice;
    made->result = parseAlgorithms(settings().algorithm, settings().protocol, made->algorithm);
    if (made->result != mcclSuccess) {
      made->error = lastError();
    } else {
      tell(*made);
    }
    return made;
  }();
  return *kChoice;
}

}  // namespace

mcclResult_t parseAlgorithms(const std::string& algorithms, const std::string& protocols,
                             Algorithm& algorithm) {
  algorithm = Algorithm::kDirect;
  unsigned allowed = 0, protocol = 0;
  MCCL_RETURN_IF_ERROR(parseList("MCCL_ALGO", algorithms, kAlgorithms, allowed));
  MCCL_RETURN_IF_ERROR(parseList("MCCL_PROTO", protocols, kProtocols, protocol));
  const bool tree = allowed & 1, ring = allowed & 2;
  if ((!tree && !ring) || protocol == 0) {
    return fail(mcclInvalidUsage, "no algorithm/protocol available with MCCL_ALGO={} MCCL_PROTO={}",
                algorithms, protocols);
  }
  if (tree != ring) algorithm = tree ? Algorithm::kTree : Algorithm::kRing;
  return mcclSuccess;
}

mcclResult_t checkAlgorithms() {
  if (choice().result == mcclSuccess) return mcclSuccess;
  return fail(choice().result, "{}", choice().error);
}

Algorithm chosenAlgorithm() { return choice().algorithm; }

}  // namespace musashim::mccl
