#include "translator/lib/python/names.h"

#include <algorithm>
#include <cctype>

#include "translator/lib/build/build_table.h"

namespace musashim::translator {
namespace {

constexpr int kDeepest = 200;  // of what a person writes

std::string lowered(std::string_view word) {
  std::string result(word);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

}  // namespace

void PythonNames::collect(const PythonNode& node, int depth) {
  if (depth > kDeepest) return;
  if (node.is("import_statement")) return collectImport(node);
  if (node.is("import_from_statement")) return collectFrom(node);
  if (node.is("function_definition")) collectFunction(node);
  // An import is a statement of its own, in a block.
  for (const PythonNode& child : node.children()) {
    if (child.kind().ends_with("statement") || child.is("block") || child.kind().ends_with("clause") ||
        child.kind().ends_with("definition"))
      collect(child, depth + 1);
  }
}

void PythonNames::collectFunction(const PythonNode& definition) {
  std::vector<std::string> found;
  for (const PythonNode& parameter : definition.field("parameters").children()) {
    std::string_view name;
    if (parameter.is("identifier")) name = parameter.text();
    if (parameter.is("typed_parameter")) name = parameter.child(0).text();
    if (parameter.kind().ends_with("default_parameter")) name = parameter.field("name").text();
    if (name.empty()) break;  // *args, or what comes by keyword only
    if (found.empty() && (name == "self" || name == "cls")) continue;
    found.emplace_back(name);
  }
  const auto [known, fresh] = parameters_.emplace(definition.field("name").text(), found);
  if (!fresh && known->second != found) known->second.clear();
}

std::string_view PythonNames::parameterOf(std::string_view function, std::size_t position) const {
  const auto known = parameters_.find(function);
  if (known == parameters_.end() || position >= known->second.size()) return {};
  return known->second[position];
}

void PythonNames::collectImport(const PythonNode& statement) {
  for (const PythonNode& name : statement.children()) {
    if (name.is("aliased_import")) {
      names_[std::string(name.field("alias").text())] = std::string(name.field("name").text());
    } else {
      const std::string_view path = name.text();
      const std::string first(path.substr(0, path.find('.')));
      names_[first] = first;
    }
  }
}

void PythonNames::collectFrom(const PythonNode& statement) {
  const PythonNode module = statement.field("module_name");
  const std::string from(module.text());
  for (const PythonNode& name : statement.children()) {
    if (name == module) continue;
    if (name.is("aliased_import")) {
      names_[std::string(name.field("alias").text())] = from + "." + std::string(name.field("name").text());
    } else if (name.is("dotted_name")) {
      names_[std::string(name.text())] = from + "." + std::string(name.text());
    }
  }
}

std::string PythonNames::pathOf(const PythonNode& expression, int depth) const {
  if (depth > kDeepest) return {};
  if (expression.is("identifier")) {
    const auto known = names_.find(expression.text());
    return known == names_.end() ? std::string(expression.text()) : known->second;
  }
  if (!expression.is("attribute")) return {};
  std::string path = pathOf(expression.field("object"), depth + 1);
  if (path.empty()) return path;
  return path.append(".").append(expression.field("attribute").text());
}

bool PythonNames::has(std::string_view module) const {
  return std::any_of(names_.begin(), names_.end(), [&](const auto& name) {
    const std::string& path = name.second;
    return path == module || (path.starts_with(module) && path[module.size()] == '.');
  });
}

std::string_view finalName(const PythonNode& expression, int depth) {
  if (depth > kDeepest) return {};
  if (expression.is("identifier")) return expression.text();
  if (expression.is("attribute")) return expression.field("attribute").text();
  if (expression.is("parenthesized_expression") || expression.is("await"))
    return finalName(expression.child(0), depth + 1);
  if (expression.is("call")) {
    const PythonNode function = expression.field("function");
    const PythonNode arguments = expression.field("arguments");
    const std::string_view name = finalName(function);
    // str(device), cfg.get("device")
    if (name == "str" || name == "repr") return finalName(arguments.child(0), depth + 1);
    if (name == "get" || name == "getattr" || name == "pop") {
      const PythonNode key = arguments.child(name == "getattr" ? 1 : 0);
      if (key.is("string")) return stringText(key);
    }
    if (name == "lower" || name == "strip" || name == "split")
      return finalName(function.field("object"), depth + 1);
    return name;
  }
  if (expression.is("subscript")) {
    const PythonNode key = expression.field("subscript");
    return key.is("string") ? stringText(key) : finalName(expression.field("value"), depth + 1);
  }
  return {};
}

bool isDeviceName(std::string_view name) {
  while (name.starts_with('-') || name.starts_with('_')) name.remove_prefix(1);
  std::string word = lowered(name);
  std::replace(word.begin(), word.end(), '-', '_');
  const auto ends = [&](std::string_view end) { return word.ends_with(end); };
  return isListed(BuildList::DeviceWords, word) || ends("_device") || ends("_devices") ||
         ends("_device_type") || ends("_dev") || word == "get_device" || ends("device");
}

bool isBackendName(std::string_view name) {
  while (name.starts_with('-') || name.starts_with('_')) name.remove_prefix(1);
  std::string word = lowered(name);
  std::replace(word.begin(), word.end(), '-', '_');
  return isListed(BuildList::BackendWords, word) || word.ends_with("_backend") || word == "get_backend";
}

bool isDeviceLike(const PythonNode& expression) {
  const std::string_view name = finalName(expression);
  if (name == "type" && expression.is("attribute"))
    return isDeviceName(finalName(expression.field("object")));
  // Triton's target: triton.runtime.driver.active.get_current_target().backend
  if (name == "backend" && expression.is("attribute")) {
    const PythonNode object = expression.field("object");
    const std::string_view target = finalName(object.is("call") ? object.field("function") : object);
    return target == "target" || target == "get_current_target";
  }
  return isDeviceName(name);
}

bool importsTorch(std::string_view text) {
  for (const std::string_view form : {"import torch", "from torch"}) {
    if (text.find(form) != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace musashim::translator
