// The compiler that a library of the build tree loads is the installed SDK's.
#include <gtest/gtest.h>

#include <cstdlib>

int main(int argc, char** argv) {
  setenv("MUSA_PATH", MTRTC_TEST_SDK, 1);
  unsetenv("MUSA_HOME");
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
