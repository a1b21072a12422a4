// Ranges as objects.
#include <musa_runtime_api.h>

#include <mttx3/mttx3.hpp>
#include <thread>

struct library {
  static constexpr const char* name = "library";
};
struct step {
  static constexpr const char* message = "step";
};

void work() {
  MTTX3_FUNC_RANGE();
  mttx3::scoped_range_in<library> inner{mttx3::registered_string_in<library>::get<step>(), mttx3::payload{7}};
}

int main() {
  musaFree(nullptr);
  mttx3::unique_range crossing{"crossing", mttx3::category{2}, mttx3::rgb{1, 2, 3}};
  work();
  std::thread([range = std::move(crossing)] {}).join();
  mttx3::mark("end");
}
