// The machine that the library runs on, as far as the system tells: CPUs, NUMA nodes and network devices with
// the PCI switches above them.
#pragma once

#include <pugixml.hpp>

namespace musashim::mccl::topology {

// By hwloc, and by sysfs for what hwloc does not know (the links' highest speeds, NICs' rates). hwloc's own
// HWLOC_XMLFILE gives it another machine to look at; MUSASHIM_SYSFS names a folder with another machine's
// /sys, and its /proc if it is there. A machine without hwloc is one CPU.
void detectMachine(pugi::xml_document& document);

// Gives each <cpu> without an architecture that of this machine: files of cloud vendors leave it out.
void fillProcessors(pugi::xml_document& document);

}  // namespace musashim::mccl::topology
