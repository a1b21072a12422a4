#include "other_toolkits.h"

#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <vector>

#include "clang/Driver/Options.h"
#include "clang_options.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "mcc/driver/build_session.h"
#include "mcc/driver/errors.h"
#include "mcc/other_toolkit.h"

namespace musashim::mcc {
namespace {

namespace fs = std::filesystem;
namespace opt = clang::driver::options;
using llvm::StringRef;
using Strings = std::vector<std::string>;

// What this SDK has where a toolkit has lib64.
std::string ownLibraries(const Options& options, const std::string& sdk) {
  const std::string face = sdk + "/cuda/lib64";
  std::error_code error;
  return options.isCudaProject && fs::exists(face, error) ? face : sdk + "/lib";
}

// Takes folders of another toolkit out of a variable like PATH, for this process and its children.
Strings takeOut(const char* variable, bool (*isOther)(const fs::path&)) {
  const char* value = std::getenv(variable);
  if (value == nullptr) return {};
  Strings taken;
  std::string kept;
  for (const StringRef folder : llvm::split(value, ':')) {
    if (!folder.empty() && isOther(folder.str())) {
      taken.push_back(folder.str());
    } else {
      kept += (kept.empty() ? "" : ":") + folder.str();
    }
  }
  if (!taken.empty()) setenv(variable, kept.c_str(), 1);
  return taken;
}

class ToolkitsLast {
 public:
  ToolkitsLast(Options& options, const std::string& sdk) : options_(options), sdk_(sdk) {}

  void run() {
    findFolders();
    for (const char* variable : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"}) {
      for (const std::string& folder : takeOut(variable, isOtherToolkitInclude)) {
        last_.push_back("-idirafter" + folder);
        met_[folder] = variable;
      }
    }
    // Images of NVIDIA's set it everywhere, and what is in it is looked at last anyhow: not told.
    for (const std::string& folder : takeOut("LIBRARY_PATH", isOtherToolkitLibraries))
      last_.push_back("-L" + folder);
    if (!last_.empty()) {
      Strings& all = options_.clangArguments;
      all.push_back("--start-no-unused-arguments");
      all.insert(all.end(), last_.begin(), last_.end());
      all.push_back("--end-no-unused-arguments");
    }
    tell();
  }

 private:
  // Arguments keep their places, by which inputs are known.
  void findFolders() {
    struct Change {
      size_t at;
      bool isJoined;
      std::string option, value;
    };
    std::vector<Change> changes;
    const llvm::opt::InputArgList parsed = parseClangArguments(options_);
    for (const llvm::opt::Arg* argument : parsed.filtered(opt::OPT_I, opt::OPT_isystem, opt::OPT_cxx_isystem,
                                                          opt::OPT_idirafter, opt::OPT_L)) {
      const std::string folder = argument->getValue();
      const bool isLibraries = argument->getOption().matches(opt::OPT_L);
      if (!(isLibraries ? isOtherToolkitLibraries(folder) : isOtherToolkitInclude(folder))) continue;
      met_[folder] = argument->getSpelling().str();
      if (isLibraries) last_.push_back("-L" + folder);
      const bool isJoined = options_.clangArguments[argument->getIndex()] != argument->getSpelling();
      changes.push_back({argument->getIndex(), isJoined, isLibraries ? "-L" : "-idirafter",
                         isLibraries ? ownLibraries(options_, sdk_) : folder});
    }
    Strings& all = options_.clangArguments;
    for (const Change& change : changes) {
      all[change.at] = change.isJoined ? change.option + change.value : change.option;
      if (!change.isJoined) all[change.at + 1] = change.value;
    }
  }

  void tell() {
    Strings texts;
    std::set<std::string> names;
    for (const auto& [folder, where] : met_) {
      names.insert("toolkit " + folder);
      texts.push_back("'" + folder + "' (" + where + ")");
    }
    if (options_.isCudaProject) addHomes(names, texts);
    if (names.empty()) return;
    const auto fresh = firstInBuild(names);
    if (fresh ? fresh->empty() : met_.empty()) return;  // a variable matters to a build's other programs only
    reportWarning("another CUDA toolkit is named: " + llvm::join(texts, ", ") +
                  "; its headers and libraries do not fit this SDK, whose own come first here: name '" +
                  sdk_ + "/cuda' instead");
  }

  // mcc does not read them, but makefiles do, for what other compilers are told.
  static void addHomes(std::set<std::string>& names, Strings& texts) {
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH", "CUDA_ROOT", "CUDAToolkit_ROOT"}) {
      const char* value = std::getenv(variable);
      if (value == nullptr || !isOtherToolkitInclude(fs::path(value) / "include")) continue;
      names.insert(std::string("toolkit ") + variable + "=" + value);
      texts.push_back(std::string(variable) + "=" + value);
    }
  }

  Options& options_;
  const std::string& sdk_;
  Strings last_;
  std::map<std::string, std::string> met_;  // folders, and what named them
};

// Where a linker finds -lNAME.
fs::path folderOf(StringRef name, const Strings& folders) {
  std::error_code error;
  const bool exact = name.consume_front(":");
  for (const std::string& folder : folders) {
    const fs::path place(folder);
    if (exact ? fs::exists(place / name.str(), error)
              : fs::exists(place / ("lib" + name.str() + ".so"), error) ||
                    fs::exists(place / ("lib" + name.str() + ".a"), error))
      return place;
  }
  return {};
}

// "cudart" of libcudart.so.12; empty if it is no library.
StringRef libraryName(StringRef file) {
  if (!file.consume_front("lib")) return {};
  const size_t end = std::min(file.find(".so"), file.find(".a"));
  return end == StringRef::npos ? StringRef() : file.substr(0, end);
}

bool refuse(const Options& options, const std::string& sdk, const std::string& what, const fs::path& folder,
            StringRef name) {
  const Strings own{sdk + "/cuda/lib64"};
  const std::string remedy =
      options.isCudaProject && !folderOf(name, own).empty()
          ? "link '" + own[0] + "/lib" + name.str() +
                ".so' instead: CUDA_HOME and CUDAToolkit_ROOT are to name '" + sdk + "/cuda'"
          : "this SDK has none of that name: leave out what needs it, or link its counterpart of the SDK";
  return fail("'" + what + "' would be taken from '" + folder.string() +
              "', which is another CUDA toolkit's and knows nothing of this SDK's devices; " + remedy);
}

}  // namespace

void putOtherToolkitsLast(Options& options, const std::string& sdk) { ToolkitsLast(options, sdk).run(); }

bool checkLinkedLibraries(const Options& options, const std::string& sdk) {
  const llvm::opt::InputArgList parsed = parseClangArguments(options);
  Strings folders = parsed.getAllArgValues(opt::OPT_L);
  folders.push_back(sdk + "/lib");
  for (const char* system :
       {"/usr/local/lib", "/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib", "/usr/lib"})
    folders.emplace_back(system);
  for (const llvm::opt::Arg* argument : parsed.filtered(opt::OPT_l, opt::OPT_INPUT)) {
    StringRef name = argument->getValue();
    fs::path folder;
    std::string shown = name.str();
    if (argument->getOption().matches(opt::OPT_INPUT)) {
      folder = fs::path(name.str()).parent_path();
      name = libraryName(llvm::sys::path::filename(name));
    } else {
      shown = "-l" + shown;
      folder = folderOf(name, folders);
      if (name.starts_with(":")) name = libraryName(name.drop_front());
    }
    if (!name.empty() && isToolkitLibrary(std::string_view(name)) && isOtherToolkitLibraries(folder))
      return refuse(options, sdk, shown, folder, name);
  }
  return true;
}

}  // namespace musashim::mcc
