#include "translator/lib/vendor/gaps.h"

#include <algorithm>
#include <cstddef>
#include <span>

namespace musashim::translator {
namespace {

struct Row {
  std::string_view text;
  bool isPrefix;
  std::size_t gap;
};

#include "vendor_gaps.inc"

// Rows are sorted, so a prefix of `text` stands before it; there are few of them.
const VendorGap* find(std::span<const Row> rows, std::string_view text) {
  const auto row = std::lower_bound(rows.begin(), rows.end(), text,
                                    [](const Row& one, std::string_view other) { return one.text < other; });
  if (row != rows.end() && row->text == text) return &kGaps[row->gap];
  for (const Row& one : rows) {
    if (one.isPrefix && text.starts_with(one.text)) return &kGaps[one.gap];
  }
  return nullptr;
}

}  // namespace

const VendorGap* vendorGapOfName(std::string_view name) { return find(kNames, name); }
const VendorGap* vendorGapOfHeader(std::string_view header) { return find(kHeaders, header); }
const VendorGap* vendorGapOfOption(std::string_view option) {
  if (const VendorGap* gap = find(kOptions, option)) return gap;
  return find(kOptions, option.substr(0, option.find('=')));
}

const VendorGap& vendorGapOfCode(VendorCode code) {
  return *std::find_if(std::begin(kGaps), std::end(kGaps),
                       [code](const VendorGap& gap) { return gap.code == code; });
}

std::string_view wordsOf(VendorEvidence evidence) {
  switch (evidence) {
    case VendorEvidence::Absent:
      return "is not in the vendor's SDK";
    case VendorEvidence::Limited:
      return "has limits in the vendor's SDK";
    case VendorEvidence::Own:
      return "is not in the vendor's SDK, but in this one alone";
    case VendorEvidence::Unproven:
      break;
  }
  return "is in no public source of the vendor's SDK";
}

}  // namespace musashim::translator
