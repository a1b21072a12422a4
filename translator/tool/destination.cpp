#include "translator/tool/destination.h"

#include <algorithm>
#include <cstdio>
#include <string>

#include "translator/lib/error.h"
#include "translator/lib/tree/files.h"
#include "translator/lib/tree/record.h"
#include "translator/tool/console.h"

namespace musashim::translator {
namespace {

namespace fs = std::filesystem;

constexpr const char* kBesideSuffix = ".mt";

fs::path absoluteNormal(const fs::path& path) {
  if (path.empty()) return {};
  fs::path result = fs::weakly_canonical(fs::absolute(path));
  if (!result.has_filename()) result = result.parent_path();
  return result;
}

bool isAncestorOrSame(const fs::path& folder, const fs::path& path) {
  const auto [end, ignored] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return end == folder.end();
}

/// Does -o name the one file to write, rather than a folder?
bool outputIsFile(const Arguments& arguments) {
  return arguments.inputs.size() == 1 && fs::is_regular_file(arguments.inputs[0]) &&
         arguments.output.has_filename() && !fs::is_directory(arguments.output);
}

/// A device or a pipe is nothing that a rename may put a file in the place of: as root, /dev/null would go.
void checkReplaceable(const fs::path& path, const fs::path& shown) {
  if (fs::is_other(path))
    throw PortError(shown.string() + ": is neither a file nor a folder; choose another output");
}

void checkOutput(const Arguments& arguments, const fs::path& output) {
  checkReplaceable(output, arguments.output);
  for (const fs::path& input : arguments.inputs) {
    const fs::path source = absoluteNormal(input);
    if (isAncestorOrSame(output, source)) {
      throw PortError(arguments.output.string() + ": is or contains the input " + input.string() +
                      "; choose another output, or use --in-place");
    }
  }
  if (arguments.force || arguments.update) return;
  const bool emptyFolder = fs::is_directory(output) && fs::is_empty(output);
  if (fs::exists(fs::symlink_status(output)) && !emptyFolder) {
    throw PortError(arguments.output.string() + ": exists; remove it, choose another output, or use --force");
  }
}

}  // namespace

void Destination::choose() {
  output_ = absoluteNormal(arguments_.output);
  if (arguments_.mode == Mode::Write) checkOutput(arguments_, output_);
  single_ = arguments_.mode == Mode::Write && outputIsFile(arguments_);
  if (writes()) settle();
  if (!arguments_.update) return;
  if (single_)
    throw PortError(arguments_.output.string() + ": --update needs a folder, made before or ending in /");
  update_.emplace(output_);
}

/// What a killed run left where this one writes.
void Destination::settle() {
  if (arguments_.mode == Mode::Show) return;
  std::vector<fs::path> places{output_};
  if (arguments_.mode != Mode::Write) places = arguments_.inputs;
  for (const fs::path& path : places) {
    const fs::path place = absoluteNormal(path);
    const fs::path folder = fs::is_directory(place) ? place : place.parent_path();
    if (PendingWork::settle(folder))
      std::fprintf(stderr, "%s: finished what a run left that was interrupted\n", folder.c_str());
    if (workFolder_.empty()) workFolder_ = folder;
  }
}

void Destination::begin(const Project& project) {
  if (arguments_.mode == Mode::InPlace || arguments_.mode == Mode::Beside)
    transaction_.changeWithin(workFolder_);
  if (arguments_.mode != Mode::Write || update_) return;
  if (!single_) {
    const bool isNew = !fs::exists(output_) || fs::is_empty(output_);
    isNew ? transaction_.createWhole(output_) : transaction_.changeWithin(output_);
  }
  for (const fs::path& folder : project.emptyFolders()) transaction_.folder(output_ / folder);
}

void Destination::copy(const ProjectFile& file) {
  if (update_) {
    struct stat status{};
    FileBuffer buffer;
    const std::string_view bytes = buffer.read(file.source.data(), &status);
    return update_->offer(file.target, status, bytes);
  }
  if (arguments_.mode != Mode::Write) return;
  const struct stat status = transaction_.copy(placeOf(file), file.source);
  if (!keepsFirst()) return;
  const std::lock_guard lock(firstMutex_);
  first_.copied(std::string(file.target), status);
}

/// A link's target that is renamed itself is followed by name.
void Destination::link(const ProjectFile& file, Direction direction) {
  if (arguments_.mode != Mode::Write) return;
  const fs::path target = fs::read_symlink(file.source);
  if (update_ && fs::is_symlink(placeOf(file))) return;
  if (arguments_.force) std::remove(placeOf(file).c_str());
  transaction_.link(placeOf(file), kindOf(target.native(), direction) == FileKind::Source
                                       ? fs::path(portedName(target.native(), direction))
                                       : target);
}

void Destination::put(const PortedText& ported) {
  if (arguments_.mode == Mode::InPlace) return replace(ported);
  if (arguments_.mode == Mode::Beside)
    return write(std::string(ported.file.source) + kBesideSuffix, {ported.status.st_mode}, ported.text);
  if (arguments_.mode == Mode::Show) {
    const std::lock_guard lock(shownMutex_);
    shown_[&ported.file] = ported.text;
    return;
  }
  if (arguments_.mode != Mode::Write) return;
  if (update_) return update_->offer(ported.name, ported.status, ported.text);
  write(single_ ? output_ : output_ / ported.name, {ported.status.st_mode, ported.status.st_mtim},
        ported.text);
  if (!keepsFirst()) return;
  const std::lock_guard lock(firstMutex_);
  first_.ported(ported.name.native(), ported.text);
}

/// Not for what goes back, nor where no record is wanted.
bool Destination::keepsFirst() const { return takesRecord() && arguments_.record && !arguments_.reverse; }

bool Destination::keep(const ProjectFile& file) { return update_ && update_->keep(file.target); }

bool Destination::takesRecord() const {
  if (arguments_.mode == Mode::InPlace)
    return arguments_.inputs.size() == 1 && fs::is_directory(arguments_.inputs[0]);
  return arguments_.mode == Mode::Write && !single_;
}

std::vector<std::string> Destination::commit() {
  if (!update_ && keepsFirst() && !first_.empty())
    write(output_ / kStateName / kFirstPortName, {0644}, first_.text());
  transaction_.commit();
  for (const auto& [file, text] : shown_) print(stdout, text);
  return update_ ? update_->commit() : std::vector<std::string>();
}

/// At the root of what is written.
void Destination::putRecord(std::string_view text) {
  if (update_) return update_->own(kRecordName, text);
  const fs::path root = arguments_.mode == Mode::Write ? output_ : absoluteNormal(arguments_.inputs[0]);
  write(root / kRecordName, {0644}, text);
}

fs::path Destination::placeOf(const ProjectFile& file) const {
  return single_ ? output_ : output_ / file.target;
}

void Destination::replace(const PortedText& ported) {
  const bool renames = ported.name != ported.file.relative;
  const bool changed = ported.text.data() != ported.original.data() && ported.text != ported.original;
  const fs::path source(ported.file.source);
  const fs::path target = source.parent_path() / ported.name.filename();
  if (!changed && !renames) {
    transaction_.forget(target);
    return transaction_.forget(backupOf(ported.file));
  }
  if (renames && fs::exists(target) && !arguments_.force) {
    throw PortError(target.string() + ": exists, and " + source.filename().string() +
                    " would become it; remove one of them, or use --force");
  }
  if (arguments_.backup) backup(ported);
  // A changed file is newer than what was built from it; a renamed one is not.
  const auto& status = ported.status;
  write(target, changed ? FileStamp(status.st_mode) : FileStamp(status.st_mode, status.st_mtim), ported.text);
  if (renames) transaction_.remove(ported.file.source);
}

fs::path Destination::backupOf(const ProjectFile& file) const {
  if (arguments_.backupFolder.empty()) return std::string(file.source) + ".orig";
  return absoluteNormal(arguments_.backupFolder) / file.relative;
}

void Destination::backup(const PortedText& ported) {
  const fs::path place = backupOf(ported.file);
  if (fs::exists(place) && !arguments_.force) {
    throw PortError(place.string() +
                    ": exists; remove this old backup, or use --backup-dir, --no-backup or --force");
  }
  write(place, {ported.status.st_mode, ported.status.st_mtim}, ported.original);
}

void Destination::write(const fs::path& path, const FileStamp& stamp, std::string_view bytes) {
  if (arguments_.force && fs::is_directory(fs::symlink_status(path))) {
    throw PortError(path.string() +
                    ": is a folder, but a file goes there; remove it or choose another output");
  }
  checkReplaceable(path, path);
  transaction_.write(path, stamp, [&](const Transaction::Sink& sink) { sink(bytes); });
}

}  // namespace musashim::translator
