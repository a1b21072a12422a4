// OpenBLAS has room for some 50 callers at once, and ends the process when there are more.
#pragma once

namespace musashim::libs {

// While it exists, its thread may call OpenBLAS. A thread has one at a time.
class BlasTurn {
 public:
  BlasTurn();
  ~BlasTurn();
  BlasTurn(const BlasTurn&) = delete;
  BlasTurn& operator=(const BlasTurn&) = delete;
};

}  // namespace musashim::libs
