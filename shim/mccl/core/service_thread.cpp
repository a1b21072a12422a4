#include "mccl/core/service_thread.h"

#include <pthread.h>
#include <signal.h>

#include <thread>

namespace musashim::mccl {

void startServiceThread(void (*body)()) {
  sigset_t all, old;
  sigfillset(&all);
  for (int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) sigdelset(&all, fault);
  pthread_sigmask(SIG_BLOCK, &all, &old);
  std::thread(body).detach();
  pthread_sigmask(SIG_SETMASK, &old, nullptr);
}

}  // namespace musashim::mccl
