#include "translator/lib/build/build_table.h"

#include <algorithm>
#include <bitset>
#include <iterator>
#include <span>

namespace musashim::translator {
namespace {

struct BuildLevel {
  int cuda;
  int musa;
};

#include "build_tables.inc"

std::span<const BuildRow> rowsOf(BuildTable table) {
  switch (table) {
    case BuildTable::Variables:
      return kVariables;
    case BuildTable::CMakeWords:
      return kCMakeWords;
    case BuildTable::CMakeBeginnings:
      return kCMakeBeginnings;
    case BuildTable::CMakePackages:
      return kCMakePackages;
    case BuildTable::CMakeModules:
      return kCMakeModules;
    case BuildTable::Libraries:
      return kLibraries;
    case BuildTable::Programs:
      return kPrograms;
    case BuildTable::PythonAttributes:
      return kPythonAttributes;
    case BuildTable::PythonMethods:
      return kPythonMethods;
    case BuildTable::PythonMembers:
      return kPythonMembers;
    case BuildTable::PythonModules:
      return kPythonModules;
    case BuildTable::ExtensionWords:
      return kExtensionWords;
    case BuildTable::Images:
      return kImages;
    case BuildTable::Packages:
      return kPackages;
    case BuildTable::MesonWords:
      return kMesonWords;
    case BuildTable::BazelWords:
      return kBazelWords;
  }
  return {};
}

template <typename Row>
const Row* find(std::span<const Row> rows, std::string_view name) {
  const auto row = std::lower_bound(rows.begin(), rows.end(), name,
                                    [](const Row& r, std::string_view wanted) { return r.name < wanted; });
  return row != rows.end() && row->name == name ? &*row : nullptr;
}

std::span<const std::string_view> wordsOf(BuildList list) {
  switch (list) {
    case BuildList::DeviceFunctions:
      return kDeviceFunctions;
    case BuildList::DeviceWords:
      return kDeviceWords;
    case BuildList::BackendFunctions:
      return kBackendFunctions;
    case BuildList::BackendWords:
      return kBackendWords;
  }
  return {};
}

/// The first two letters of all names, as a set.
class Beginnings {
 public:
  Beginnings() {
    for (int table = 0; table <= static_cast<int>(BuildTable::Packages); ++table) {
      for (const BuildRow& row : rowsOf(static_cast<BuildTable>(table))) add(row.name);
    }
  }
  void add(std::string_view name) { bits_.set(indexOf(name)); }
  bool holds(std::string_view name) const { return bits_.test(indexOf(name)); }

 private:
  static std::size_t indexOf(std::string_view name) {
    const auto byte = [&](std::size_t i) {
      return i < name.size() ? static_cast<unsigned char>(name[i]) : 0U;
    };
    return byte(0) << 8U | byte(1);
  }
  std::bitset<std::size_t{1} << 16> bits_;
};

}  // namespace

bool mayBeginRow(std::string_view word) {
  // CMake's own words are the most frequent ones.
  if (word.starts_with("CMAKE_") && !findBeginning(BuildTable::CMakeBeginnings, word)) return false;
  static const Beginnings beginnings;
  return beginnings.holds(word);
}

const BuildRow* findRow(BuildTable table, std::string_view name) { return find(rowsOf(table), name); }

const BuildRow* findBeginning(BuildTable table, std::string_view text) {
  for (const BuildRow& row : rowsOf(table)) {
    if (text.starts_with(row.name)) return &row;
  }
  return nullptr;
}

bool isListed(BuildList list, std::string_view word) {
  const auto words = wordsOf(list);
  return std::binary_search(words.begin(), words.end(), word);
}

const BuildOption* findOption(std::string_view name) {
  return find(std::span<const BuildOption>(kOptions), name);
}

int musaArchitecture(int cuda) {
  for (const BuildLevel& level : kLevels) {
    if (cuda <= level.cuda) return level.musa;
  }
  return std::rbegin(kLevels)->musa;
}

std::vector<int> musaArchitectures() {
  std::vector<int> all;
  for (const BuildLevel& level : kLevels) all.push_back(level.musa);
  return all;
}

}  // namespace musashim::translator
