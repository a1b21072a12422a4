#include "translator/lib/python/packages.h"

namespace musashim::translator {

std::string_view parentOf(std::string_view path) {
  const std::size_t point = path.rfind('.');
  return point == std::string_view::npos ? std::string_view() : path.substr(0, point);
}

const BuildRow* rowAbove(BuildTable table, std::string_view path) {
  for (; !path.empty(); path = parentOf(path)) {
    if (const BuildRow* row = findRow(table, path)) return row;
  }
  return nullptr;
}

bool PythonPackages::isProjects(std::string_view path) {
  const std::string file = std::string(path.substr(0, path.find('.'))) + "/__init__.py";
  const auto [known, fresh] = known_.try_emplace(file, false);
  if (fresh) known->second = project_.owns(known->first, true);
  return known->second;
}

const BuildRow* PythonPackages::foreign(std::string_view path) {
  const BuildRow* row = rowAbove(BuildTable::PythonModules, path);
  return row && !isProjects(path) ? row : nullptr;
}

}  // namespace musashim::translator
