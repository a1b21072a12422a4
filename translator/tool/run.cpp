// Inputs => project => each file ported into a transaction => commit => report.

#include "translator/tool/run.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "translator/lib/diff.h"
#include "translator/lib/error.h"
#include "translator/lib/files.h"
#include "translator/lib/port.h"
#include "translator/lib/project.h"
#include "translator/lib/report.h"
#include "translator/lib/transaction.h"
#include "translator/tool/interrupt.h"
#include "translator/tool/progress.h"

namespace musashim::translator {
namespace {

namespace fs = std::filesystem;

void print(std::FILE* stream, std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stream) != text.size() || std::fflush(stream) != 0) {
    throw systemError(stream == stdout ? "standard output" : "standard error", "write", errno);
  }
}

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

void checkOutput(const Arguments& arguments, const fs::path& output) {
  for (const fs::path& input : arguments.inputs) {
    const fs::path source = absoluteNormal(input);
    if (isAncestorOrSame(output, source)) {
      throw PortError(arguments.output.string() + ": is or contains the input " + input.string() +
                      "; choose another output, or use --in-place");
    }
  }
  if (arguments.force) return;
  const bool emptyFolder = fs::is_directory(output) && fs::is_empty(output);
  if (fs::exists(fs::symlink_status(output)) && !emptyFolder) {
    throw PortError(arguments.output.string() + ": exists; remove it, choose another output, or use --force");
  }
}

class Run {
 public:
  explicit Run(const Arguments& arguments)
      : arguments_(arguments),
        progress_(!arguments.quiet),
        report_(arguments.summary == SummaryFormat::Json) {}

  int operator()() {
    const fs::path output = absoluteNormal(arguments_.output);
    if (arguments_.mode == Mode::Write) checkOutput(arguments_, output);
    single_ = arguments_.mode == Mode::Write && outputIsFile(arguments_);
    output_ = output;
    const Project project = Project::collect(arguments_.inputs, {arguments_.excludes, output});
    std::size_t done = 0;
    for (const ProjectFile& file : project.files()) {
      stopIfInterrupted();
      progress_.show(++done, project.files().size(), file.relative.string());
      handle(project, file);
    }
    stopIfInterrupted();
    progress_.clear();
    transaction_.commit();
    report_.addSkipped(project.skipped());
    tell();
    return arguments_.strict && report_.unported() > 0 ? kExitUnported : kExitDone;
  }

 private:
  void handle(const Project& project, const ProjectFile& file) {
    if (file.kind == FileKind::Source) return port(project, file);
    report_.add(file, {}, 0, {});
    if (arguments_.mode != Mode::Write) return;
    if (file.kind == FileKind::Link) return link(file);
    transaction_.write(placeOf(file), file.mode,
                       [&](const Transaction::Sink& sink) { readPieces(file.source, sink); });
  }

  void port(const Project& project, const ProjectFile& file) {
    const std::string text = readFile(file.source);
    PortedSource ported = portSource(text, arguments_.port, FileView(project, file));
    switch (arguments_.mode) {
      case Mode::Write:
        writeTo(placeOf(file), file.mode, ported.text);
        break;
      case Mode::InPlace:
        replace(file, text, ported);
        break;
      case Mode::Diff:
        print(stdout, unifiedDiff(file.relative.string(), file.target.string(), text, ported.edits));
        break;
      case Mode::DryRun:
        break;
    }
    report_.add(file, text, ported.edits.size(), std::move(ported.findings));
  }

  /// A link's target that is renamed itself is followed by name.
  void link(const ProjectFile& file) {
    const fs::path target = fs::read_symlink(file.source);
    if (arguments_.force) std::remove(placeOf(file).c_str());
    transaction_.link(placeOf(file), kindOf(target) == FileKind::Source ? portedName(target) : target);
  }

  fs::path placeOf(const ProjectFile& file) const { return single_ ? output_ : output_ / file.target; }

  void writeTo(const fs::path& path, mode_t mode, std::string_view bytes) {
    if (fs::is_directory(fs::symlink_status(path))) {
      throw PortError(path.string() +
                      ": is a folder, but a file goes there; remove it or choose another output");
    }
    transaction_.write(path, mode, [&](const Transaction::Sink& sink) { sink(bytes); });
  }

  void replace(const ProjectFile& file, std::string_view original, const PortedSource& ported) {
    const bool renames = file.target != file.relative;
    if (ported.edits.empty() && !renames) return;
    const fs::path target = file.source.parent_path() / file.target.filename();
    if (renames && fs::exists(target) && !arguments_.force) {
      throw PortError(target.string() + ": exists, and " + file.source.filename().string() +
                      " would become it; remove one of them, or use --force");
    }
    if (arguments_.backup) backup(file, original);
    writeTo(target, file.mode, ported.text);
    if (renames) transaction_.remove(file.source);
  }

  void backup(const ProjectFile& file, std::string_view original) {
    fs::path place = file.source;
    place += ".orig";
    if (!arguments_.backupFolder.empty()) place = absoluteNormal(arguments_.backupFolder) / file.relative;
    if (fs::exists(place) && !arguments_.force) {
      throw PortError(place.string() +
                      ": exists; remove this old backup, or use --backup-dir, --no-backup or --force");
    }
    writeTo(place, file.mode, original);
  }

  void tell() const {
    if (arguments_.verbose) {
      for (const FileReport& file : report_.files()) {
        print(stderr, file.source + " -> " + file.target + ": " + std::to_string(file.edits) + " edits\n");
      }
    }
    if (!arguments_.quiet || arguments_.listUnported)
      print(stderr, report_.diagnostics(arguments_.listUnported));
    if (arguments_.summary == SummaryFormat::None) return;
    // The diff owns standard output.
    std::FILE* stream = arguments_.mode == Mode::Diff ? stderr : stdout;
    if (arguments_.summary == SummaryFormat::Json) return print(stream, report_.json());
    if (!arguments_.quiet) print(stream, report_.text());
  }

  const Arguments& arguments_;
  Progress progress_;
  bool single_ = false;
  fs::path output_;
  Transaction transaction_;
  Report report_;
};

}  // namespace

int run(const Arguments& arguments) { return Run(arguments)(); }

}  // namespace musashim::translator
