#include "libs/openblas/turn.h"

#include <semaphore>

namespace musashim::libs {
namespace {

constexpr int kCallers = 40;

std::counting_semaphore<kCallers>& callers() {
  static auto& callers =
      *new std::counting_semaphore<kCallers>(kCallers);  // threads run until the process is gone
  return callers;
}

}  // namespace

BlasTurn::BlasTurn() { callers().acquire(); }
BlasTurn::~BlasTurn() { callers().release(); }

}  // namespace musashim::libs
