// musashim-prof metrics
#pragma once

namespace musashim::metrics {

// `arguments` begins with "metrics". Returns the exit code.
int metricsMain(int count, char** arguments);

}  // namespace musashim::metrics
