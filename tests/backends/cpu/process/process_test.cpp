// Ends of processes and children of processes.
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../support.h"

extern char** environ;

namespace musashim::backend::test {
namespace {

TEST(Process, ChildThatExecsIsUnaffected) {
  Machine machine;
  machine.run("empty", char{});
  SpinFlag flag;
  uint64_t spin = machine.queue().submit(machine.launch("spin", flag.params()), {});
  for (int i = 0; i < 5; ++i) {
    pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      execl("/bin/true", "true", nullptr);
      _exit(127);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  flag.raise();
  machine.queue().wait(spin);
}

TEST(Process, ExitWithWorkersBusyIsClean) {
  useFreshChildren();
  EXPECT_EXIT(
      {
        auto* machine = new Machine;  // as a program's: never torn down
        static SpinFlag flag;
        machine->device().createQueue(0)->submit(machine->launch("spin", flag.params()), {});
        machine->run("empty", char{});
        exit(7);
      },
      testing::ExitedWithCode(7), "");
}

TEST(Process, HelpingThreadsMayEnd) {
  Machine machine;
  for (int i = 0; i < 20; ++i) {
    std::thread([&] {
      auto queue = machine.device().createQueue(0);
      int64_t sum = 0;
      queue->wait(
          queue->submit(machine.launch("reduce", OutParams{&sum, 1}, {1, 1, 1}, {64, 1, 1}, 64 * 8), {}));
      EXPECT_EQ(sum, 64 * 63 / 2);
    }).join();
  }
}

}  // namespace
}  // namespace musashim::backend::test
