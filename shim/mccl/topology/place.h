// Puts the devices of a communicator's ranks into a machine's XML.
#pragma once

#include <pugixml.hpp>
#include <string>
#include <vector>

namespace musashim::mccl::topology {

struct RankDevice {
  int rank = 0;
  int device = 0;      // number in its process
  std::string bus;     // bus id
  int capability = 0;  // major * 10 + minor
};

// Each rank's device becomes the <gpu> at its bus id; where the machine has nothing there, a PCI device is
// hung below a CPU, spread over them by number. GPUs of nobody are taken out. What the document says of a GPU
// wins, but for the rank. False when two ranks share a device: then there is no machine that shows all ranks.
bool placeRanks(std::vector<RankDevice> ranks, pugi::xml_document& document);

// MTLinks between two devices, by their bus ids.
struct EmulatedLink {
  std::string bus, peer;
  int count = 0;
};

// Gives the GPUs of the document the links between them. A GPU of which the document tells links keeps those.
void placeLinks(const std::vector<EmulatedLink>& links, pugi::xml_document& document);

}  // namespace musashim::mccl::topology
