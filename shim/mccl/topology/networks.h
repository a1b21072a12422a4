// What the network layer knows of its devices, in a machine that was detected.
#pragma once

#include <pugixml.hpp>

namespace musashim::mccl::topology {

// Adds the devices that are not there: those without a place on a PCI bus. Takes out those that the network
// layer does not use. `gdr` is what came of the attempt
// to register a device's memory with them, for the network devices, and for the GPUs as soon as one takes it.
void markNetworks(pugi::xml_document& document);

}  // namespace musashim::mccl::topology
