// The driver's session: how often it was opened, and its properties.
#pragma once

#include <cufile.h>

namespace musashim::cufile {

// What needs the driver opens it where nobody has.
void openIfClosed();

CUfileDrvProps_t properties();

// An operation that is under way: the driver does not close meanwhile.
class Operation {
 public:
  Operation();
  ~Operation();
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;
};

}  // namespace musashim::cufile
