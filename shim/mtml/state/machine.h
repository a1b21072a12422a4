// The emulated machine as libmusa shows it to whoever only looks.
#pragma once

#include <string>
#include <vector>

#include "musashim_tables.h"

namespace musashim::mtml {

// Null where libmusa has no such table.
const MUshimMonitorTable* monitorTable();

// Those that have contexts or memory on a device.
std::vector<MUshimProcess> processesOn(unsigned int device);
// Its command as the system tells it; the number where it does not.
std::string nameOf(int process);

unsigned long long memoryUsed(unsigned int device);

// By some process: nothing more is known of it.
bool isLost(unsigned int device);

// In percent, the share of a short while in which a kernel ran on the device. One look at all devices serves
// everybody for a quarter of a second.
unsigned int utilization(unsigned int device);

std::string uuidText(const MUshimDevice& device);  // "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"
std::string sbdfText(const MUshimDevice& device);  // "00000000:2a:00.0"
// As the tools and libraries call the driver: "4.3.0".
std::string driverVersion();

}  // namespace musashim::mtml
