#include "translator/lib/report/availability.h"

namespace musashim::translator {

std::optional<Availability::Lack> Availability::lackOf(std::string_view target) const {
  for (const MissingName& missing : missingNames(target)) {
    const Advice advice = adviceOn(missing);
    if (missing.since != 0 && sdk_ != 0 && sdk_ < missing.since) {
      return Lack{std::string(advice.reason) + ", and the chosen one is " + std::to_string(sdk_ / 100) + "." +
                      std::to_string(sdk_ % 100 / 10),
                  advice.remedy};
    }
    for (const Target* chosen : chosen_) {
      if (missing.architecture > chosen->architecture) {
        return Lack{std::string(advice.reason) + ", and " + std::string(chosen->name) + " is a chosen target",
                    advice.remedy};
      }
    }
  }
  return std::nullopt;
}

}  // namespace musashim::translator
