// What a communicator's ranks are told of the machine: the rings that its data goes around, and the channels
// to other hosts.
#pragma once

#include <vector>

#include "mccl.h"
#include "mccl/comm/roster.h"
#include "mccl/topology/channel_plan.h"
#include "mccl/topology/machine.h"
#include "mccl/topology/place.h"

namespace musashim::mccl::topology {

// The files that the settings name can be read and used; of the environment, once. A machine's file that is
// not there is none: the log says so.
mcclResult_t checkFiles();

// What the emulated machine tells of MTLinks: for every machine that is made from now on. Once, before
// others.
void setEmulatedLinks(std::vector<EmulatedLink> links);

// The machine with these devices: the one in the settings' file, or else as it is found. `showsAll` is false,
// and the machine empty, when two of them are one device. `usesNetwork`: what the network layer knows of its
// devices is told as well.
mcclResult_t machineWith(const std::vector<RankDevice>& devices, bool usesNetwork,
                         pugi::xml_document& document, Machine& machine, bool& showsAll);

// Finds the machine, or reads it, searches its graphs, tells the log of them, and writes the files that the
// settings name. Where all ranks are of this host, `plan` has the rings alone: none where nobody asks for
// graphs, or where they do not show all ranks, and the order is that of the ranks. Run by the process that
// makes the memory of this host's ranks; orders are those of their places here.
mcclResult_t planFor(const Roster& roster, ChannelPlan& plan);

}  // namespace musashim::mccl::topology
