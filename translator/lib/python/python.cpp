#include "translator/lib/python/python.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <vector>

#include "translator/lib/build/build_table.h"
#include "translator/lib/build/words.h"
#include "translator/lib/python/names.h"
#include "translator/lib/python/options.h"
#include "translator/lib/python/packages.h"
#include "translator/lib/python/strings.h"
#include "translator/lib/python/tree.h"

namespace musashim::translator {
namespace {

/// The last part of a path with points.
std::string_view lastOf(std::string_view path) {
  const std::size_t point = path.rfind('.');
  return point == std::string_view::npos ? path : path.substr(point + 1);
}

/// Deeper than any source that a person wrote; what is below stays.
constexpr std::size_t kDeepest = 1000;

bool isKernelSource(std::string_view text) {
  return text.find("#include") != std::string_view::npos ||
         text.find("__global__") != std::string_view::npos ||
         text.find("__device__") != std::string_view::npos;
}

class PythonPorter {
 public:
  PythonPorter(BuildEditor& editor, const BuildFacts& facts)
      : editor_(editor),
        text_(editor.text()),
        tree_(text_),
        packages_(editor.project()),
        torch_(facts.torch || importsTorch(text_)) {}

  void run() {
    imports_.collect(tree_.root());
    visit(tree_.root());
    importBackend();
  }

 private:
  void visit(const PythonNode& node) {
    if (tree_.depth() > kDeepest) return;
    tree_.enter(node);
    look(node);
    tree_.leave();
  }

  void look(const PythonNode& node) {
    if (node.is("comment")) return;
    if (node.is("import_statement")) return portImport(node);
    if (node.is("import_from_statement")) return portFrom(node);
    if (node.is("string")) return portString(node);
    if (node.is("attribute")) {
      if (portAttribute(node)) return;
    } else if (node.is("identifier")) {
      return portIdentifier(node);
    } else if (node.is("call")) {
      portCall(node);
    } else if (node.is("list")) {
      portOptionList(editor_, node);
      noteVersionCommand(editor_, node);
    } else if (node.is("block") || node.is("module")) {
      portAppendedOptions(editor_, node);
    } else if (node.is("keyword_argument")) {
      return visit(node.field("value"));
    }
    for (const PythonNode& child : node.children()) visit(child);
  }

  // --- imports ---------------------------------------------------------------------------------------

  /// import torch.cuda.amp as amp
  void portImport(const PythonNode& statement) {
    for (PythonNode name : statement.children()) {
      if (name.is("aliased_import")) name = name.field("name");
      portModule(name);
      if (name.text() == "torch" || name.text().starts_with("torch.")) sawTorch(statement);
    }
  }

  bool portModule(const PythonNode& name) {
    const std::string_view path = name.text();
    if (const BuildRow* row = packages_.foreign(path)) {
      editor_.leave(name.begin(), name.end(), row->advice);
      return true;
    }
    const BuildRow* row = rowAbove(BuildTable::PythonAttributes, path);
    if (!row) return false;
    if (row->becomes.empty()) {
      editor_.leave(name.begin(), name.end(), row->advice);
    } else {
      editor_.replace(name.begin(), name.begin() + row->name.size(), row->becomes);
      usesBackend_ = true;
    }
    return true;
  }

  /// from torch.utils.cpp_extension import BuildExtension, CUDAExtension, CppExtension
  void portFrom(const PythonNode& statement) {
    const PythonNode module = statement.field("module_name");
    if (module.text() == "torch" || module.text().starts_with("torch.")) sawTorch(statement);
    if (portModule(module)) return;
    std::vector<PythonNode> moved, kept;
    std::string_view target;
    for (const PythonNode& name : statement.children()) {
      if (name == module) continue;
      const PythonNode plain = name.is("aliased_import") ? name.field("name") : name;
      const std::string path = std::string(module.text()) + "." + std::string(plain.text());
      const BuildRow* row = findRow(BuildTable::PythonAttributes, path);
      if (!row && !packages_.isProjects(path)) row = findRow(BuildTable::PythonModules, path);
      if (row && row->becomes.empty()) editor_.leave(plain.begin(), plain.end(), row->advice);
      if (!row || row->becomes.empty()) {
        kept.push_back(name);
      } else if (parentOf(row->becomes) == module.text()) {
        // from torch import cuda: the name goes on in the file.
        const bool bare =
            !name.is("aliased_import") && lastOf(row->becomes) != plain.text() && !isListedName(plain.text());
        editor_.replace(plain.begin(), plain.end(),
                        std::string(lastOf(row->becomes)) + (bare ? " as " + std::string(plain.text()) : ""));
        usesBackend_ = true;
        kept.push_back(name);
      } else {
        moved.push_back(name);
        target = parentOf(row->becomes);
      }
    }
    if (!moved.empty()) moveImports(statement, module, moved, kept, target);
  }

  /// Names that portIdentifier() renames wherever they are used.
  static bool isListedName(std::string_view name) {
    return findRow(BuildTable::PythonMembers, name) != nullptr;
  }

  void moveImports(const PythonNode& statement, const PythonNode& module,
                   const std::vector<PythonNode>& moved, const std::vector<PythonNode>& kept,
                   std::string_view target) {
    usesBackend_ = true;
    const auto list = [](const std::vector<PythonNode>& names, bool ported) {
      std::string out;
      for (const PythonNode& name : names) {
        if (!out.empty()) out += ", ";
        const PythonNode plain = name.is("aliased_import") ? name.field("name") : name;
        const BuildRow* row = ported ? findRow(BuildTable::PythonMembers, plain.text()) : nullptr;
        out += row ? row->becomes : plain.text();
        if (name.is("aliased_import")) out.append(" as ").append(name.field("alias").text());
      }
      return out;
    };
    std::string text = "from " + std::string(target) + " import " + list(moved, true);
    if (!kept.empty())
      text +=
          "\n" + indentOf(statement) + "from " + std::string(module.text()) + " import " + list(kept, false);
    editor_.replace(statement.begin(), statement.end(), text);
  }

  std::string indentOf(const PythonNode& statement) const {
    const std::size_t line = text_.rfind('\n', statement.begin());
    const std::size_t begin = line == std::string_view::npos ? 0 : line + 1;
    const std::string_view before = text_.substr(begin, statement.begin() - begin);
    return before.find_first_not_of(" \t") == std::string_view::npos ? std::string(before) : std::string();
  }

  /// The first import of torch at the file's own level: behind it the backend is imported.
  void sawTorch(const PythonNode& statement) {
    if (!torchImport_ && statement.parent().is("module")) torchImport_ = statement;
  }

  void importBackend() {
    if (!usesBackend_ || !torchImport_ || imports_.has("torch_musa")) return;
    const std::size_t line = std::min(text_.find('\n', torchImport_.end()), text_.size());
    const bool crlf = line > 0 && line < text_.size() && text_[line - 1] == '\r';
    editor_.insert(line - (crlf ? 1 : 0),
                   (crlf ? "\r\n" : "\n") + indentOf(torchImport_) + "import torch_musa");
  }

  // --- names -----------------------------------------------------------------------------------------

  /// torch.cuda.synchronize, dist.Backend.NCCL; true if there is nothing more to look at below.
  bool portAttribute(const PythonNode& attribute) {
    const PythonNode last = attribute.field("attribute");
    const std::string path = imports_.pathOf(attribute);
    if (!path.empty()) {
      if (const BuildRow* row = findRow(BuildTable::PythonAttributes, path)) {
        changeAttribute(attribute, last, *row);
        return true;
      }
    }
    // A name further left decides first.
    visit(attribute.field("object"));
    if (torch_ && path != "torch.cuda") {
      const BuildRow* row = findRow(BuildTable::PythonMembers, last.text());
      if (row) {
        editor_.replace(last.begin(), last.end(), row->becomes);
        usesBackend_ = true;
      }
    }
    return true;
  }

  void changeAttribute(const PythonNode& attribute, const PythonNode& last, const BuildRow& row) {
    if (row.becomes.empty()) return editor_.leave(attribute.begin(), attribute.end(), row.advice);
    usesBackend_ = true;
    if (parentOf(row.becomes) == parentOf(row.name)) {
      editor_.replace(last.begin(), last.end(), lastOf(row.becomes));
    } else {
      editor_.replace(attribute.begin(), attribute.end(), row.becomes);
    }
  }

  /// A name that was imported by itself, CUDAExtension.
  void portIdentifier(const PythonNode& name) {
    const BuildRow* member = findRow(BuildTable::PythonMembers, name.text());
    if (!member) return;
    const std::string path = imports_.pathOf(name);
    const BuildRow* row = findRow(BuildTable::PythonAttributes, path);
    if (row && path != name.text()) editor_.replace(name.begin(), name.end(), member->becomes);
  }

  void portCall(const PythonNode& call) {
    const PythonNode function = call.field("function");
    if (!function.is("attribute") || !torch_) return;
    // tensor.cuda(), but not numba.cuda(...) or torch.cuda(...)
    const PythonNode last = function.field("attribute");
    const BuildRow* row = findRow(BuildTable::PythonMethods, last.text());
    if (!row) return;
    const std::string path = imports_.pathOf(function);
    if (path == "torch.cuda" || packages_.foreign(path)) return;
    editor_.replace(last.begin(), last.end(), row->becomes);
    usesBackend_ = true;
  }

  // --- strings ---------------------------------------------------------------------------------------

  void portString(const PythonNode& string) {
    std::size_t begin = 0, end = 0;
    if (!plainString(string, begin, end)) return portFormatted(string);
    const std::string_view text = text_.substr(begin, end - begin);
    if (text.empty() || (!torch_ && text == "cuda")) return;
    if (isKernelSource(text)) return editor_.portSource(begin, end);
    if (torch_ && isDevice(string, text, imports_)) {
      usesBackend_ = true;
      return editor_.replace(begin, begin + 4, "musa", FindingKind::Symbol);
    }
    if (torch_ && text.find("nccl") != std::string_view::npos && portBackend(string, begin, text)) return;
    if (torch_ && text == "cuda" && isAttributeName(string)) return putBackend(begin, end);
    portExactString(string, begin, end, text);
  }

  void putBackend(std::size_t begin, std::size_t end) {
    editor_.replace(begin, end, "musa", FindingKind::Symbol);
    usesBackend_ = true;
  }

  /// "nccl", "cpu:gloo,cuda:nccl"
  bool portBackend(const PythonNode& string, std::size_t begin, std::string_view text) {
    if (text == "nccl" ? !isBackend(string, imports_) : text.find("cuda:nccl") == std::string_view::npos)
      return false;
    std::string becomes(text);
    for (const auto& [from, to] :
         {std::pair<std::string_view, std::string_view>{"cuda:nccl", "musa:mccl"}, {"nccl", "mccl"}}) {
      if (const std::size_t at = becomes.find(from); at != std::string::npos)
        becomes.replace(at, from.size(), to);
    }
    editor_.replace(begin, begin + text.size(), becomes, FindingKind::Symbol);
    usesBackend_ = true;
    return true;
  }

  /// hasattr(torch, "cuda")
  bool isAttributeName(const PythonNode& string) const {
    const PythonNode arguments = string.parent();
    if (!arguments.is("argument_list")) return false;
    const std::string_view function = finalName(arguments.parent().field("function"));
    return (function == "hasattr" || function == "getattr") && imports_.pathOf(arguments.child(0)) == "torch";
  }

  /// f"cuda:{rank}"
  void portFormatted(const PythonNode& string) {
    const std::vector<PythonNode> parts = string.children();
    if (parts.size() < 2) return;
    const PythonNode first = parts[1];
    const bool device = torch_ && first.is("string_content") && first.text() == "cuda:" &&
                        parts.size() == 4 && parts[2].is("interpolation");
    if (device) {
      editor_.replace(first.begin(), first.begin() + 4, "musa", FindingKind::Symbol);
      usesBackend_ = true;
    }
    if (std::size_t at = 0; namesFormattedSource(parts, at))
      editor_.replace(at, at + 1, "m", FindingKind::Symbol);
    for (const PythonNode& part : parts) {
      if (part.is("interpolation")) {
        visit(part);
      } else if (part.is("string_content") && part.text().find("/usr/local/cuda") != std::string_view::npos) {
        portWords(editor_, part.begin(), part.end(), {});
      }
    }
  }

  /// A string that is one name: of a variable, a file, a library, an option, a program that is run.
  void portExactString(const PythonNode& string, std::size_t begin, std::size_t end, std::string_view text) {
    if (text.starts_with("torch.cuda.") &&
        text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.0123456789") ==
            std::string_view::npos)
      return putBackend(begin + 6, begin + 10);
    if (isCommand(string)) return portWords(editor_, begin, end, {});
    const PythonNode owner = listOwner(string);
    if (owner.is("keyword_argument") && owner.field("name").text() == "libraries") {
      WordContext context;
      context.libraries = true;
      return portWords(editor_, begin, end, context);
    }
    if (text == "nvcc" && isCompilerKey(string))
      return editor_.replace(begin, end, "mcc", FindingKind::Symbol);
    const bool oneWord = text.find_first_of(" \t\n") == std::string_view::npos;
    if (!oneWord) return;
    if (isProgram(string) || isVariable(text) || text[0] == '/' || text.ends_with(".cu") ||
        text.ends_with(".cuh") || text.starts_with("-L") || text.starts_with("-I") ||
        text.starts_with("-l") || text.find(".so") != std::string_view::npos || text == "lib64")
      portPathOrName(string, begin, end, text);
  }

  void portPathOrName(const PythonNode& string, std::size_t begin, std::size_t end, std::string_view text) {
    if (text != "lib64") return portWords(editor_, begin, end, {});
    // os.path.join(CUDA_HOME, "lib64")
    if (joinsToolkit(string)) editor_.replace(begin, end, "lib", FindingKind::Symbol);
  }

  bool isVariable(std::string_view text) const {
    KnownName known;
    return findRow(BuildTable::Variables, text) ||
           (editor_.options().lexicon->find(text, known) && known.kind == NameKind::Symbol);
  }

  static bool joinsToolkit(const PythonNode& string) {
    const std::string_view around = string.parent().text();
    return around.find("CUDA") != std::string_view::npos || around.find("cuda") != std::string_view::npos;
  }

  /// What a list, or the string alone, is the value of.
  static PythonNode listOwner(const PythonNode& string) {
    PythonNode node = string.parent();
    while (node.is("list") || node.is("parenthesized_expression") || node.is("binary_operator"))
      node = node.parent();
    return node;
  }

  /// The key of extra_compile_args={"cxx": [...], "nvcc": [...]}, or of args["nvcc"].
  static bool isCompilerKey(const PythonNode& string) {
    const PythonNode parent = string.parent();
    if (parent.is("pair")) return parent.field("key") == string;
    return parent.is("subscript");
  }

  /// os.system("nvcc ..."), subprocess.run("nvidia-smi", shell=True)
  static bool isCommand(const PythonNode& string) {
    const PythonNode arguments = string.parent();
    if (!arguments.is("argument_list") || !(arguments.child(0) == string)) return false;
    const PythonNode function = arguments.parent().field("function");
    const std::string_view name = finalName(function), whole = function.text();
    return (name == "system" && whole.starts_with("os.")) || (name == "popen" && whole.starts_with("os.")) ||
           whole.find("subprocess.") != std::string_view::npos || name == "check_output" || name == "Popen";
  }

  /// shutil.which("nvcc"), ["nvcc", "--version"]
  static bool isProgram(const PythonNode& string) {
    const PythonNode parent = string.parent();
    if (parent.is("list")) return parent.child(0) == string && listOwner(string).is("argument_list");
    return parent.is("argument_list") && finalName(parent.parent().field("function")) == "which";
  }

  BuildEditor& editor_;
  std::string_view text_;
  PythonTree tree_;
  PythonNames imports_;
  PythonPackages packages_;
  bool torch_;
  bool usesBackend_ = false;
  PythonNode torchImport_;
};

}  // namespace

void portPython(BuildEditor& editor, const BuildFacts& facts) { PythonPorter(editor, facts).run(); }

}  // namespace musashim::translator
