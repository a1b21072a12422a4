// What the benchmarks of the libraries share.
#pragma once

#include <functional>

namespace musashim::bench {

// Prints the medians of both and their ratio.
void compare(const char* name, int rounds, const std::function<void()>& ours,
             const std::function<void()>& direct);

void benchBlas();
void benchFft();
void benchSparse();

}  // namespace musashim::bench
