#include "translator/tool/history.h"

#include <utility>

#include "translator/lib/error.h"
#include "translator/lib/tree/files.h"

namespace musashim::translator {

namespace fs = std::filesystem;

void History::read(const Project& project) {
  for (const ProjectFile& file : project.files()) {
    if (file.kind != FileKind::Record) continue;
    auto record = Record::parse(readFile(file.source));
    if (!record)
      throw PortError(std::string(file.source) +
                      ": is no record of musaport, or is damaged; remove it to go on without");
    const fs::path folder = fs::path(file.relative).parent_path();
    for (auto& [target, ports] : record->files) records_.files[(folder / target).string()] = std::move(ports);
  }
}

std::optional<UndonePort> History::undo(const ProjectFile& file, std::string_view text) const {
  const auto entry = records_.files.find(std::string(file.relative));
  if (entry == records_.files.end()) return std::nullopt;
  UndonePort result{std::string(text), file.relative};
  for (auto port = entry->second.rbegin(); port != entry->second.rend(); ++port) {
    auto before = restored(*port, result.text);
    if (!before) return std::nullopt;
    const fs::path source = fs::path(port->source).lexically_normal();
    if (source.is_absolute() || source.filename().empty() || *source.begin() == "..") return std::nullopt;
    result.text = *std::move(before);
    result.name = result.name.parent_path() / source.filename();
    result.edits += port->edits.size();
  }
  return result;
}

void History::add(const ProjectFile& file, RecordedFile port) {
  auto& ports = records_.files[std::string(file.target)];
  // What an earlier port left and this one did not touch keeps its history.
  if (port.edits.empty() && file.target == file.relative && !ports.empty()) return;
  if (file.target != file.relative) ports.clear();
  ports.push_back(std::move(port));
  changed_ = true;
}

}  // namespace musashim::translator
