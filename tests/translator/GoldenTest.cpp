// golden/NAME.in ported must be golden/NAME.out, byte for byte, and porting that again changes nothing.

#include <gtest/gtest.h>

#include <filesystem>

#include "Port.h"
#include "translator/lib/tree/files.h"

namespace musashim::translator {
namespace {

namespace fs = std::filesystem;

TEST(Golden, Pairs) {
  std::size_t pairs = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(TRANSLATOR_GOLDEN)) {
    if (entry.path().extension() != ".in") continue;
    SCOPED_TRACE(entry.path().filename().string());
    fs::path expected = entry.path();
    expected.replace_extension(".out");
    const std::string wanted = readFile(expected);
    EXPECT_EQ(ported(readFile(entry.path())), wanted);
    EXPECT_EQ(ported(wanted), wanted);
    ++pairs;
  }
  EXPECT_GE(pairs, 4U);
}

}  // namespace
}  // namespace musashim::translator
