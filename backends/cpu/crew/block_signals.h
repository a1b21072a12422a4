// User code expects its signals on its own threads; faults must stay deliverable.
#pragma once

#include <signal.h>

namespace musashim::backend::cpu {

// Threads that are started meanwhile get no signals but faults.
class BlockSignals {
 public:
  BlockSignals() {
    sigset_t all;
    sigfillset(&all);
    for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP}) sigdelset(&all, signal);
    pthread_sigmask(SIG_BLOCK, &all, &old_);
  }
  ~BlockSignals() { pthread_sigmask(SIG_SETMASK, &old_, nullptr); }
  BlockSignals(const BlockSignals&) = delete;
  BlockSignals& operator=(const BlockSignals&) = delete;

 private:
  sigset_t old_;
};

}  // namespace musashim::backend::cpu
