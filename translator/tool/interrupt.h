#pragma once

namespace musashim::translator {

/// Turns SIGINT, SIGTERM and SIGHUP into a flag, and makes a write beyond the file size limit an error.
void catchInterrupts();

/// Throws Interrupted if such a signal came.
void stopIfInterrupted();

}  // namespace musashim::translator
