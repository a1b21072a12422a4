// Where mcc finds clang, the linker and its own SDK.
#pragma once

#include <string>
#include <vector>

#include "mcc/driver/options/options.h"

namespace musashim::mcc {

struct Toolchain {
  std::string clang;    // clang++ of the version the plugins were built for
  std::string linker;   // ld.lld
  std::string sdk;      // root of the SDK: include/, lib/
  std::string include;  // <sdk>/include
  std::string lib;      // <sdk>/lib
  std::string devicePlugin;
  std::string hostPlugin;
  std::string crashPlugin;   // only says where to report a crash
  std::string vendorPlugin;  // -Wvendor; not in an SDK without musaport
  std::string prelude;       // included before every MUSA source
};

// What has clang's driver compile a source of the host alone: the plugin's passes, without which clang gets
// some loops wrong (vectorizer/). No complaint where nothing is compiled.
std::vector<std::string> plainSourceOptions(const Toolchain& toolchain, const Options& options);

// `self` is this program's path. False, with a message, when something is missing.
bool findToolchain(const std::string& self, const Options& options, Toolchain& toolchain, std::string& error);

}  // namespace musashim::mcc
