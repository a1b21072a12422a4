#include "link.h"

#include <filesystem>
#include <set>

#include "clang/Driver/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "mcc/driver/errors.h"
#include "mcc/driver/options/clang_options.h"

namespace musashim::mcc {
namespace {

namespace fs = std::filesystem;
namespace opt = clang::driver::options;

// The linker only says that there is no -lomp.
void adviseOpenMp(const Toolchain& toolchain, const Options& options) {
  const llvm::opt::InputArgList parsed = parseClangArguments(options);
  if (!parsed.hasFlag(opt::OPT_fopenmp, opt::OPT_fopenmp_EQ, opt::OPT_fno_openmp, false)) return;
  std::error_code error;
  const fs::path clang = fs::canonical(toolchain.clang, error).parent_path().parent_path();
  std::vector<fs::path> folders{clang / "lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib", "/usr/local/lib"};
  for (const std::string& folder : parsed.getAllArgValues(opt::OPT_L)) folders.emplace_back(folder);
  for (const fs::path& folder : folders) {
    if (fs::exists(folder / "libomp.so", error)) return;
  }
  reportError(
      "-fopenmp needs clang's OpenMP, which is not installed: install Debian's package libomp-19-dev");
}

// The linker only says that there is no -lmublas: the SDK's libraries beyond its core may be left out of a
// build.
void adviseMissingLibraries(const Toolchain& toolchain, const Options& options) {
  llvm::SmallVector<llvm::StringRef> beyond;
  llvm::StringRef(MCC_BEYOND_CORE).split(beyond, ',');
  std::set<std::string> told;
  for (const std::string& argument : options.clangArguments) {
    llvm::StringRef name = argument;
    if (!name.consume_front("-l")) continue;
    // CUDA's libcublas and libnvshmem are libmublas and libmtshmem.
    for (const std::string& ours :
         {name.str(), ("mu" + name.drop_front(std::min<size_t>(2, name.size()))).str(),
          ("mt" + name.drop_front(std::min<size_t>(2, name.size()))).str()}) {
      std::error_code error;
      if (!llvm::is_contained(beyond, ours) || !told.insert(ours).second ||
          fs::exists(fs::path(toolchain.lib) / ("lib" + ours + ".so"), error))
        continue;
      reportError("lib" + ours + " is not built in this SDK: ./scripts/quickstart --all builds all of it");
    }
  }
}

}  // namespace

int runClangDriver(const Toolchain& toolchain, const Options& options, const StepRunner& runner,
                   const std::map<size_t, std::string>& objects, const std::string& linkObject) {
  std::vector<std::string> command{toolchain.clang};
  const std::vector<std::string> plain = plainSourceOptions(toolchain, options);
  command.insert(command.end(), plain.begin(), plain.end());
  // First: it takes the objects that it needs out of archives.
  if (!linkObject.empty()) command.push_back(linkObject);
  if (options.phase != Phase::kLink) command.push_back("-Qunused-arguments");
  std::set<size_t> compiled;
  for (const Input& input : options.inputs) {
    if (input.isOurs()) compiled.insert(input.argument);
  }
  for (size_t i = 0; i < options.clangArguments.size(); ++i) {
    if (options.phase != Phase::kLink && compiled.count(i) != 0) continue;
    const auto object = objects.find(i);
    command.push_back(object == objects.end() ? options.clangArguments[i] : object->second);
  }
  command.push_back("-isystem" + toolchain.include);
  // Host sources see the same API as MUSA sources (mcc_prelude.h).
  if (options.perThreadDefaultStream) command.push_back("-DMUSA_API_PER_THREAD_DEFAULT_STREAM=1");
  if (options.phase == Phase::kLink) {
    // The linker of the device code, which takes a third of the time of the system's.
    if (!instructsLinker(options)) command.push_back("--ld-path=" + toolchain.linker);
    // The runtime last and only when needed: MUSA objects register with it.
    for (const std::string& argument :
         {"-L" + toolchain.lib, "-Wl,-rpath," + toolchain.lib, std::string("-Wl,--push-state,--as-needed"),
          std::string("-lmusart"), std::string("-Wl,--pop-state")}) {
      command.push_back(argument);
    }
  }
  const int status = runner.run(command);
  if (status != 0 && options.phase == Phase::kLink) {
    adviseOpenMp(toolchain, options);
    adviseMissingLibraries(toolchain, options);
  }
  return status;
}

}  // namespace musashim::mcc
