#include "vendor_warnings.h"

#include <set>

#include "errors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "translator/lib/vendor/gaps.h"

namespace musashim::mcc {
namespace {

using llvm::StringRef;
using translator::VendorGap;

std::string textOf(std::string_view text) { return std::string(text); }

void warn(const std::string& option, const VendorGap& gap) {
  reportWarning("'" + option + "' " + textOf(wordsOf(gap.evidence)) + ": " + textOf(gap.reason) + "; " +
                textOf(gap.remedy) + " (source: " + textOf(gap.source) + ") [-Wvendor]");
}

bool namesStandard(StringRef argument) {
  if (argument.starts_with("--")) argument = argument.drop_front();
  return argument == "-std" || argument.starts_with("-std=");
}

}  // namespace

void reportVendorOptions(const Options& options) {
  if (!options.warnVendor) return;
  std::set<std::string> said;
  for (size_t i = 0; i < options.words.size(); ++i) {
    std::string option = options.words[i];
    if (option == "-x" && i + 1 < options.words.size()) option += options.words[++i];
    const VendorGap* gap = translator::vendorGapOfOption(option);
    if (gap != nullptr && said.insert(option).second) warn(option, *gap);
  }
  if (llvm::count_if(options.words, namesStandard) > 1)
    warn("-std=", translator::vendorGapOfCode(translator::VendorCode::SeveralStandards));
}

}  // namespace musashim::mcc
