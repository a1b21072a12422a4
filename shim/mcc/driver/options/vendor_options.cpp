#include "vendor_options.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace musashim::mcc {
namespace {

using llvm::StringRef;

enum class Match { kName, kBeginning };  // a name may have a value behind `=`

struct VendorOption {
  StringRef text;
  Match match;
  StringRef tunes;
};

// Behind -mllvm. Those seen in Moore Threads' published builds (torch_musa's CMake files, tilelang-musa's
// kernels): a dozen of -mtgpu-..., -misched=mtgpu-max-ilp, -misched-recompute-slotindex=1,
// -enable-ldma-index.
constexpr VendorOption kBackendOptions[] = {
    {"-mtgpu-", Match::kBeginning, "the code generator"},
    {"-misched=mtgpu-", Match::kBeginning, "its scheduler"},
    {"-misched-recompute-slotindex", Match::kName, "the same"},
    {"-enable-ldma-index", Match::kName, "its addresses"},
};

// torch_musa's CMake files.
constexpr VendorOption kTuningOptions[] = {
    {"-mtgpu", Match::kName, "nothing: it names the target"},
    {"-mathx-disable-fp64", Match::kName, "the mathematics library"},
};

bool matches(const VendorOption& option, StringRef text) {
  if (!text.consume_front(option.text)) return false;
  return option.match == Match::kBeginning || text.empty() || text.starts_with("=");
}

bool isAny(llvm::ArrayRef<VendorOption> options, StringRef text) {
  return llvm::any_of(options, [text](const VendorOption& option) { return matches(option, text); });
}

std::string helpLine(StringRef before, const VendorOption& option) {
  std::string line = "  " + before.str() + option.text.str();
  if (option.match == Match::kBeginning) line += "...";
  line.resize(std::max<size_t>(line.size() + 1, 41), ' ');
  return line + option.tunes.str() + "\n";
}

}  // namespace

bool isVendorBackendOption(StringRef value) { return isAny(kBackendOptions, value); }

bool isVendorTuningOption(StringRef argument) { return isAny(kTuningOptions, argument); }

bool isDeviceOptimization(StringRef argument, std::string& level) {
  if (!argument.consume_front("-Od")) return false;
  const bool known = llvm::StringSwitch<bool>(argument).Cases("0", "1", "2", "3", "s", true).Default(false);
  if (known) level = "-O" + argument.str();
  return known;
}

std::string vendorOptionsHelp() {
  std::string text =
      "Options that tune the vendor's code generator are taken, and no result depends on them:\n";
  for (const VendorOption& option : kBackendOptions) text += helpLine("-mllvm ", option);
  for (const VendorOption& option : kTuningOptions) text += helpLine("", option);
  return text;
}

}  // namespace musashim::mcc
