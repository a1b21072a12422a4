#include "clang_options.h"

#include <set>

#include "clang/Basic/DiagnosticIDs.h"
#include "clang/Driver/Options.h"
#include "clang/Driver/Types.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Option/Arg.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/Path.h"
#include "source_kind.h"

namespace musashim::mcc {
namespace {

namespace opt = clang::driver::options;
using llvm::StringRef;

// The API's own macro means the same; unported build files say it in CUDA's words.
bool isPerThreadMacro(StringRef definition) {
  const StringRef name = definition.split('=').first;
  return name == "MUSA_API_PER_THREAD_DEFAULT_STREAM" || name == "CUDA_API_PER_THREAD_DEFAULT_STREAM";
}

// Of what -x does not name.
bool isCudaFile(StringRef path) { return path.ends_with(".cu") && sourceKind(path) == SourceKind::kCuda; }
bool isMusaFile(StringRef path) { return path.ends_with(".mu") || path.ends_with(".cu"); }
bool isCFile(StringRef path) { return path.ends_with(".c"); }
bool isCxxFile(StringRef path) {
  namespace types = clang::driver::types;
  return types::lookupTypeForExtension(llvm::sys::path::extension(path).ltrim('.')) == types::TY_CXX;
}

bool isAssembly(StringRef path) { return path.ends_with(".s") || path.ends_with(".S"); }
// What nvcc makes of device code and takes again.
bool isDeviceCode(StringRef path) {
  return path.ends_with(".ptx") || path.ends_with(".cubin") || path.ends_with(".fatbin");
}

// What -x says of the files that follow. `-x cuda` stands for a project's whole build (make NVCC="mcc -x
// cuda"), in which nvcc would take .c files for C and .cpp files for C++; nvcc's own `-x cu` means all files.
enum class Language { kByName, kMusa, kCudaProject, kCuda, kOther };

Language languageOf(StringRef name) {
  return llvm::StringSwitch<Language>(name)
      .Case("none", Language::kByName)
      .Case("musa", Language::kMusa)
      .Case("cuda", Language::kCudaProject)
      .Case("cu", Language::kCuda)
      .Default(Language::kOther);
}

// Clang's driver does not know them, or means something else.
bool isOwn(Language language) { return language != Language::kByName && language != Language::kOther; }

// What is only linked is no source whatever -x says: `make NVCC="mcc -x cuda"` links with it, too.
bool isLinkInput(StringRef path) {
  const StringRef name = llvm::sys::path::filename(path);
  return name.ends_with(".o") || name.ends_with(".lo") || name.ends_with(".a") || name.ends_with(".so") ||
         name.contains(".so.");
}

Input inputOf(StringRef path, Language language, size_t argument) {
  Input input{path.str()};
  input.argument = argument;
  if (isLinkInput(path)) return input;
  if (isAssembly(path) && language == Language::kCudaProject) return input;
  const bool byName = language == Language::kByName, inProject = language == Language::kCudaProject;
  input.isC = isCFile(path) && (byName || inProject);
  input.isCxx = isCxxFile(path) && inProject;
  input.isMusa = !input.isHost() && (isOwn(language) || (byName && isMusaFile(path)));
  input.isCuda = language == Language::kCudaProject || language == Language::kCuda;
  return input;
}

Phase phaseOf(const llvm::opt::InputArgList& arguments) {
  if (arguments.hasArg(opt::OPT_M, opt::OPT_MM)) return Phase::kDependencies;
  if (arguments.hasArg(opt::OPT_E)) return Phase::kPreprocess;
  if (arguments.hasArg(opt::OPT_fsyntax_only)) return Phase::kSyntaxOnly;
  if (arguments.hasArg(opt::OPT_S)) return Phase::kAssemble;
  if (arguments.hasArg(opt::OPT_c)) return Phase::kCompile;
  return Phase::kLink;
}

// What clang's driver would make instead of an object, and mcc has no passes for.
bool isOtherResult(const llvm::opt::Arg& argument) {
  const llvm::opt::Option& option = argument.getOption();
  if (option.matches(opt::OPT__analyze) || option.matches(opt::OPT_emit_ast)) return true;
  if (!option.matches(opt::OPT_Action_Group) || option.matches(opt::OPT_M_Group)) return false;
  for (const unsigned known :
       {opt::OPT_E, opt::OPT_S, opt::OPT_c, opt::OPT_fsyntax_only, opt::OPT_emit_llvm}) {
    if (option.matches(known)) return false;
  }
  return true;
}

// nvcc's -forward-unknown-to-host-linker: what clang does not know is the linker's.
void forwardUnknown(Options& options) {
  const llvm::opt::InputArgList parsed = parseClangArguments(options);
  std::set<size_t> unknown;
  for (const llvm::opt::Arg* argument : parsed.filtered(opt::OPT_UNKNOWN))
    unknown.insert(argument->getIndex());
  std::vector<std::string> forwarded;
  for (size_t i = 0; i < options.clangArguments.size(); ++i) {
    if (unknown.count(i) != 0) forwarded.push_back("-Xlinker");
    forwarded.push_back(options.clangArguments[i]);
  }
  options.clangArguments = std::move(forwarded);
}

}  // namespace

llvm::opt::InputArgList parseClangArguments(const Options& options, std::optional<size_t>* missing) {
  std::vector<const char*> pointers;
  for (const std::string& argument : options.clangArguments) pointers.push_back(argument.c_str());
  unsigned missingIndex = 0, missingCount = 0;
  llvm::opt::InputArgList parsed = clang::driver::getDriverOptTable().ParseArgs(
      pointers, missingIndex, missingCount, llvm::opt::Visibility(opt::ClangOption));
  if (missing != nullptr && missingCount != 0) *missing = missingIndex;
  return parsed;
}

bool isUnknownToClang(StringRef argument) {
  unsigned missingIndex = 0, missingCount = 0;
  const std::string text = argument.str();
  const llvm::opt::InputArgList parsed = clang::driver::getDriverOptTable().ParseArgs(
      {text.c_str()}, missingIndex, missingCount, llvm::opt::Visibility(opt::ClangOption));
  if (parsed.hasArg(opt::OPT_UNKNOWN)) return true;
  const llvm::opt::Arg* warning = parsed.getLastArg(opt::OPT_W_Joined);
  if (warning == nullptr) return false;
  StringRef name = warning->getValue();
  name.consume_front("no-");
  if (!name.consume_front("error=")) name.consume_front("fatal-errors=");
  // These are no groups of warnings.
  for (const StringRef word : {"", "error", "fatal-errors", "everything", "system-headers"})
    if (name == word) return false;
  llvm::SmallVector<clang::diag::kind, 16> kinds;  // getDiagnosticsInGroup() returns whether there is none
  return clang::DiagnosticIDs().getDiagnosticsInGroup(clang::diag::Flavor::WarningOrError, name, kinds);
}

// Finds the inputs with clang's own option table, which knows what takes a value.
// `-x LANGUAGE` holds for the inputs that follow it.
bool readClangArguments(Options& options, bool languageIsMusa, std::string& error) {
  if (options.forwardsUnknown) forwardUnknown(options);
  std::optional<size_t> missing;
  const llvm::opt::InputArgList parsed = parseClangArguments(options, &missing);
  if (missing) {
    error = "'" + options.clangArguments[*missing] + "' needs a value";
    return false;
  }
  Language language = languageIsMusa ? Language::kMusa : Language::kByName;
  std::vector<size_t> dropped;  // `-x musa`, which clang does not know, and -x cuda
  for (const llvm::opt::Arg* argument : parsed) {
    if (argument->getOption().matches(opt::OPT_D) && isPerThreadMacro(argument->getValue())) {
      options.perThreadDefaultStream = true;
    } else if (argument->getOption().matches(opt::OPT_x)) {
      language = languageOf(argument->getValue());
      if (language == Language::kCudaProject || language == Language::kCuda) options.isCudaProject = true;
      if (isOwn(language)) {
        dropped.push_back(argument->getIndex());
        if (StringRef(options.clangArguments[argument->getIndex()]) == "-x")
          dropped.push_back(argument->getIndex() + 1);
      }
    } else if (argument->getOption().matches(opt::OPT_INPUT)) {
      const StringRef path = argument->getValue();
      if (language == Language::kByName && isCudaFile(path)) {
        error =
            "'" + path.str() + "' is CUDA source by the names in it: port it with 'musaport " + path.str() +
            " -o DIR', or pass '-x cuda' to have that done at each compilation, '-x musa' if it is MUSA code";
        return false;
      }
      if (isDeviceCode(path)) {
        error =
            "'" + path.str() + "' is device code, which mcc makes of sources and objects only: name those";
        return false;
      }
      options.inputs.push_back(inputOf(path, language, argument->getIndex()));
    }
  }
  const bool haveMusa = llvm::any_of(options.inputs, [](const Input& input) { return input.isMusa; });
  for (const llvm::opt::Arg* argument : parsed) {
    if (!haveMusa || !isOtherResult(*argument)) continue;
    error = "'" + argument->getAsString(parsed) + "' is not supported for MUSA source: leave it out";
    return false;
  }
  // -dlink and nvcc's -lib take the place of the link.
  if (const Phase phase = phaseOf(parsed); phase != Phase::kLink || options.phase == Phase::kLink)
    options.phase = phase;
  options.output = parsed.getLastArgValue(opt::OPT_o).str();
  options.verbose = parsed.hasArg(opt::OPT_v);
  options.emitLlvm = parsed.hasArg(opt::OPT_emit_llvm);
  options.optimizationGiven = parsed.hasArg(opt::OPT_O_Group);
  for (size_t i = dropped.size(); i-- > 0;) {
    options.clangArguments.erase(options.clangArguments.begin() + static_cast<ptrdiff_t>(dropped[i]));
    for (Input& input : options.inputs) {
      if (input.argument > dropped[i]) --input.argument;
    }
  }
  return true;
}

bool instructsLinker(const Options& options) {
  return parseClangArguments(options).hasArg(opt::OPT_fuse_ld_EQ, opt::OPT_ld_path_EQ, opt::OPT_Wl_COMMA,
                                             opt::OPT_Xlinker, opt::OPT_T);
}

}  // namespace musashim::mcc
