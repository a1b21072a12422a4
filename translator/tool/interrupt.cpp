#include "translator/tool/interrupt.h"

#include <csignal>

#include "translator/lib/error.h"

namespace musashim::translator {
namespace {

volatile std::sig_atomic_t interrupted = 0;

void remember(int) { interrupted = 1; }

}  // namespace

void catchInterrupts() {
  struct sigaction action{};
  action.sa_handler = remember;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
  action.sa_handler = SIG_IGN;
  sigaction(SIGXFSZ, &action, nullptr);
}

void stopIfInterrupted() {
  if (interrupted) throw Interrupted();
}

}  // namespace musashim::translator
