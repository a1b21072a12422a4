// Which objects take part in a link, and the device code that they carry.
//
// Objects of the command line do; an archive's member does when it defines what another
// one lacks, be it a symbol of the host or of the device. The order of archives does not
// matter, as between --start-group and --end-group.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "device_unit.h"
#include "mcc/driver/options/options.h"
#include "mcc/driver/process.h"
#include "mcc/driver/toolchain.h"

namespace musashim::mcc {

// What a unit's device code defines for others, and what it takes from them.
struct DeviceSymbols {
  std::vector<std::string> defined;  // not what several units may define (templates, inline)
  std::vector<std::string> shared;   // what they may
  std::vector<std::string> undefined;
};
DeviceSymbols deviceSymbols(const UnitCode& code);

// Compiles the sources in other languages of `options`, if there is device code in archives:
// what they need decides which members take part; for a library in any case. Adds their objects to `objects`.
// Returns an exit status.
int compileOtherSources(const Toolchain& toolchain, const Options& options, const StepRunner& runner,
                        const TemporaryFolder& temporary, std::map<size_t, std::string>& objects);

// The units that take part in the link of `options`. `objects` maps Input::argument to
// the object that a MUSA source became. False, with a message, when a file is broken.
bool collectLinkUnits(const Toolchain& toolchain, const Options& options,
                      const std::map<size_t, std::string>& objects, std::vector<DeviceUnit>& units);

}  // namespace musashim::mcc
