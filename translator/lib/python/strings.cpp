#include "translator/lib/python/strings.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <vector>

#include "translator/lib/build/build_table.h"

namespace musashim::translator {
namespace {

/// What is asked of names and functions: is it for devices, or for backends?
struct Kind {
  bool (*named)(std::string_view name);
  bool (*like)(const PythonNode& expression);
  BuildList functions;
};

bool isBackendLike(const PythonNode& expression) { return isBackendName(finalName(expression)); }

const Kind kDevice = {isDeviceName, isDeviceLike, BuildList::DeviceFunctions};
const Kind kBackend = {isBackendName, isBackendLike, BuildList::BackendFunctions};

/// Does the condition ask whether NVIDIA's devices are there?
bool asksForCuda(const PythonNode& condition, const PythonNames& imports, int depth = 0) {
  if (depth > 50) return false;
  if (condition.is("attribute") && imports.pathOf(condition).starts_with("torch.cuda")) return true;
  if (condition.is("identifier")) {
    const std::string_view name = condition.text();
    if (name.find("cuda") != std::string_view::npos || name.find("gpu") != std::string_view::npos)
      return true;
  }
  if (condition.is("attribute")) {
    const std::string_view name = condition.field("attribute").text();
    if (name.find("cuda") != std::string_view::npos || name == "gpu" || name == "use_gpu") return true;
  }
  for (const PythonNode& child : condition.children()) {
    if (asksForCuda(child, imports, depth + 1)) return true;
  }
  return false;
}

/// The call of which `arguments` are the arguments names an option of a command line for such values:
/// add_argument("--device", default=...), click.option("--device"), Field(...) of `device: str = Field(...)`.
bool optionNames(const PythonNode& arguments, const Kind& kind) {
  for (const PythonNode& argument : arguments.children()) {
    if (argument.is("string") && kind.named(stringText(argument))) return true;
  }
  return false;
}

class Context {
 public:
  Context(const Kind& kind, const PythonNames& imports) : kind_(kind), imports_(imports) {}

  /// Goes outwards from the value until something decides.
  bool decide(PythonNode value) const {
    for (PythonNode parent = value.parent(); parent; value = parent, parent = parent.parent()) {
      if (parent.is("conditional_expression")) {
        // "cuda" if torch.cuda.is_available() else "cpu"; the condition itself is compared.
        if (parent.child(1) == value) return false;
        if (asksForCuda(parent.child(1), imports_)) return true;
        continue;
      }
      if (parent.is("parenthesized_expression") || parent.is("list") || parent.is("tuple") ||
          parent.is("set") || parent.is("boolean_operator") || parent.is("binary_operator") ||
          parent.is("expression_list") || parent.is("type") || parent.is("generic_type") ||
          parent.is("type_parameter"))
        continue;
      if (parent.is("call")) continue;  // what a call of it gives: "cuda:{}".format(i)
      if (parent.is("attribute")) continue;
      return decidedBy(parent, value);
    }
    return false;
  }

 private:
  bool decidedBy(const PythonNode& parent, const PythonNode& value) const {
    if (parent.is("comparison_operator")) return compares(parent, value);
    if (parent.is("keyword_argument")) return byKeyword(parent);
    if (parent.is("argument_list")) return byFunction(parent, value);
    if (parent.is("assignment") || parent.is("augmented_assignment") || parent.is("named_expression")) {
      const PythonNode left = parent.is("named_expression") ? parent.field("name") : parent.field("left");
      return !(left == value) && targets(left);
    }
    if (parent.is("default_parameter") || parent.is("typed_default_parameter"))
      return kind_.named(parent.field("name").text());
    if (parent.is("typed_parameter")) return kind_.named(parent.child(0).text());
    if (parent.is("pair"))
      return !(parent.field("key") == value) && kind_.named(stringText(parent.field("key")));
    if (parent.is("return_statement")) return byDefinition(parent);
    if (parent.is("subscript")) return literalOf(parent);
    if (parent.is("for_statement") || parent.is("for_in_clause"))
      return !(parent.field("left") == value) && targets(parent.field("left"));
    if (parent.is("case_pattern") || parent.is("union_pattern")) return byMatch(parent);
    return false;
  }

  /// `device = self.device = ...`, `device, count = ...`
  bool targets(const PythonNode& left) const {
    if (left.is("pattern_list") || left.is("tuple_pattern")) {
      for (const PythonNode& child : left.children()) {
        if (kind_.like(child)) return true;
      }
      return false;
    }
    return kind_.like(left);
  }

  /// device == "cuda", device in ("cuda", "cpu"), "cuda" in str(device)
  bool compares(const PythonNode& comparison, const PythonNode& value) const {
    for (const PythonNode& other : comparison.children()) {
      if (!(other == value) && kind_.like(other)) return true;
    }
    return false;
  }

  bool byKeyword(const PythonNode& keyword) const {
    const std::string_view name = keyword.field("name").text();
    if (kind_.named(name)) return true;
    const PythonNode arguments = keyword.parent();
    if (name == "default" || name == "choices" || name == "const")
      return optionNames(arguments, kind_) || Context(kind_, imports_).definedBy(arguments);
    return false;
  }

  /// device: str = Field(default="cuda")
  bool definedBy(const PythonNode& arguments) const {
    const PythonNode assignment = arguments.parent().parent();
    return assignment.is("assignment") && targets(assignment.field("left"));
  }

  bool byFunction(const PythonNode& arguments, const PythonNode& value) const {
    const PythonNode call = arguments.parent();
    const PythonNode function = call.field("function");
    const std::string_view name = finalName(function);
    if (isListed(kind_.functions, name) || isListed(kind_.functions, imports_.pathOf(function)))
      return arguments.child(0) == value || name != "to";
    // device.startswith("cuda")
    if ((name == "startswith" || name == "endswith" || name == "replace") && function.is("attribute"))
      return kind_.like(function.field("object"));
    // args.get("device", "cuda"), os.getenv("DEVICE", "cuda"), getattr(args, "device", "cuda")
    if (name == "get" || name == "getenv" || name == "getattr" || name == "setdefault") {
      const PythonNode key = arguments.child(name == "getattr" ? 1 : 0);
      return key.is("string") && !(key == value) && kind_.named(stringText(key));
    }
    if (name == "parametrize") return optionNames(arguments, kind_);
    return byParameter(name, arguments, value);
  }

  /// run("cuda") of a function of the source's own: def run(device)
  bool byParameter(std::string_view function, const PythonNode& arguments, const PythonNode& value) const {
    const std::vector<PythonNode> all = arguments.children();
    for (std::size_t i = 0; i < all.size() && !all[i].is("keyword_argument"); ++i) {
      if (all[i] == value) return kind_.named(imports_.parameterOf(function, i));
    }
    return false;
  }

  /// return "cuda" in a function called get_device.
  bool byDefinition(PythonNode node) const {
    for (; node; node = node.parent()) {
      if (node.is("function_definition")) return kind_.named(node.field("name").text());
    }
    return false;
  }

  /// Literal["cuda", "cpu"] of a parameter or variable for a device.
  bool literalOf(PythonNode node) const {
    if (finalName(node.field("value")) != "Literal") return false;
    for (node = node.parent(); node; node = node.parent()) {
      if (node.is("type") || node.is("subscript") || node.is("binary_operator") || node.is("generic_type"))
        continue;
      return decidedBy(node, PythonNode());
    }
    return false;
  }

  bool byMatch(PythonNode node) const {
    for (; node; node = node.parent()) {
      if (node.is("match_statement")) return kind_.like(node.field("subject"));
    }
    return false;
  }

  const Kind& kind_;
  const PythonNames& imports_;
};

}  // namespace

bool isDevice(const PythonNode& string, std::string_view text, const PythonNames& imports) {
  if (text.starts_with("cuda:")) {
    const std::string_view rest = text.substr(5);
    const bool digits = !rest.empty() && std::all_of(rest.begin(), rest.end(),
                                                     [](unsigned char c) { return std::isdigit(c); });
    // "cuda:" + str(rank)
    return digits || rest == "{}" || rest == "%d" || rest == "%s" || rest == "{:d}" ||
           (rest.empty() && string.parent().is("binary_operator"));
  }
  return text == "cuda" && Context(kDevice, imports).decide(string);
}

bool isBackend(const PythonNode& string, const PythonNames& imports) {
  return Context(kBackend, imports).decide(string);
}

bool namesFormattedSource(const std::vector<PythonNode>& parts, std::size_t& at) {
  const bool oneWord = std::none_of(parts.begin(), parts.end(), [](const PythonNode& part) {
    return part.is("string_content") && part.text().find_first_of(" \t\n") != std::string_view::npos;
  });
  const PythonNode last = parts[parts.size() - 2];
  if (!oneWord || !last.is("string_content")) return false;
  for (const std::string_view suffix : {".cu", ".cuh"}) {
    at = last.end() - suffix.size() + 1;
    if (last.text().ends_with(suffix)) return true;
  }
  return false;
}

}  // namespace musashim::translator
