// The compiler that a library of the build tree loads is the installed SDK's. Each process has a cache of its
// own.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

int main(int argc, char** argv) {
  setenv("MUSA_PATH", MTRTC_TEST_SDK, 1);
  unsetenv("MUSA_HOME");
  std::string cache = std::filesystem::temp_directory_path() / "mtrtc-test-XXXXXX";
  if (mkdtemp(cache.data()) == nullptr) return 1;
  setenv("MUSASHIM_CACHE_PATH", cache.c_str(), 1);
  testing::InitGoogleTest(&argc, argv);
  const int result = RUN_ALL_TESTS();
  std::filesystem::remove_all(cache);
  return result;
}
