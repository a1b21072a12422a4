// The devices of a machine that is described in NCCL's XML.
#pragma once

#include <string>
#include <vector>

#include "interface/pci_address.h"

namespace musashim::backend::cpu {

// Where the machine's devices are, in the order of their numbers: the <pci> that have a <gpu>, or, where none
// has, those that are of a display's class (files of cloud vendors). Nothing when there is no such file or no
// device in it that has a place: what is wrong with it, libmccl tells.
std::vector<PciAddress> devicesOfMachine(const std::string& path);

}  // namespace musashim::backend::cpu
