// -q: everything that is known of the devices, as text or JSON, in parts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mtml/gmi/snapshot.h"

namespace musashim::gmi {

// The parts that -d chooses from.
enum class Part { kMemory, kUtilization, kEcc, kTemperature, kPower, kClock, kPids };
// By the option's word, in any case of letters.
std::optional<Part> partOf(const std::string& word);
std::string partNames();

struct Query {
  std::vector<Part> parts;  // none: everything
  bool json = false;

  bool shows(Part part) const;
  // Whether it shows any of what moves with the load.
  bool moves() const;
};

// `attached`: of the machine, also where fewer are asked for.
std::string query(const std::vector<Gpu>& gpus, unsigned int attached, const std::string& driver,
                  const Query& query);

}  // namespace musashim::gmi
