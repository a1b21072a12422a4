// Names that exist exactly as long as the process that has them: Linux's abstract
// namespace of sockets. Nothing is ever sent through these.
#pragma once

#include <string>
#include <vector>

#include "cpu/process/peer_file.h"

namespace musashim::backend::cpu {

// Holds the name until closed; none when someone else has it.
UniqueFd bindAbstractName(const std::string& name);

// As bindAbstractName(), waiting for its turn for some seconds.
UniqueFd lockAbstractName(const std::string& name);

// What follows `prefix` in the names that begin so, of all processes.
std::vector<std::string> abstractNames(const std::string& prefix);

}  // namespace musashim::backend::cpu
