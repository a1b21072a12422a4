#pragma once

#include "musashim_tables.h"

namespace musashim::musa {

extern const MUshimMonitorTable kMonitorTable;

}  // namespace musashim::musa
