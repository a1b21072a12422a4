#pragma once

// What the chosen architectures and SDK lack.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "translator/lib/names/table.h"

namespace musashim::translator {

class Availability {
 public:
  /// `sdk`: 100 * major + 10 * minor, 0 for the newest; `chosen`: architectures, none for all.
  Availability(unsigned sdk, std::vector<const Target*> chosen) : sdk_(sdk), chosen_(std::move(chosen)) {}

  struct Lack {
    std::string reason;
    std::string_view remedy;
  };
  /// Why the MUSA name is not there on the SDK, or not on every chosen architecture.
  std::optional<Lack> lackOf(std::string_view target) const;

 private:
  unsigned sdk_;
  std::vector<const Target*> chosen_;
};

}  // namespace musashim::translator
