// Registered memory.
#pragma once

namespace musashim::cufile {

// The driver is closed.
void forgetBuffers();

}  // namespace musashim::cufile
