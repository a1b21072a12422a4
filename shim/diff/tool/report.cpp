#include <fmt/core.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "diff/tool/diff.h"

namespace musashim::diff {
namespace {

std::string nameOf(const Event& event) {
  if (event.kind == "kernel") return event.signature;
  if (event.kind == "copy" || event.kind == "set")
    return "a " + event.kind + " of " + event.key.substr(event.kind.size() + 1) + " bytes";
  return event.kind + " " + event.name;
}

std::string placeOf(const Event& event) {
  const auto box = [](const std::array<unsigned, 3>& size) {
    return fmt::format("({}, {}, {})", size[0], size[1], size[2]);
  };
  std::string text = fmt::format("event {}", event.number);
  if (event.kind == "kernel") text += fmt::format(", grid {}, block {}", box(event.grid), box(event.block));
  return text;
}

std::string outputText(const Output& output) {
  const Comparison& c = output.comparison;
  std::string text = fmt::format("  {}: ", output.where);
  if (!c.note.empty()) text += c.note + "; ";
  if (c.byBlocks) {
    text += fmt::format("{} of {} blocks of {} elements of {} differ\n", c.different,
                        (c.count + record::kBlock - 1) / record::kBlock, record::kBlock,
                        record::typeName(c.type));
    for (const Element& one : c.elements) text += fmt::format("    from element {} on\n", one.index);
    return text;
  }
  text += fmt::format("{} of {} elements of {} differ", c.different, c.count, record::typeName(c.type));
  if (std::isfinite(c.worst))
    text += fmt::format(", by up to {:.3g} times what rounding is taken for", c.worst);
  text += "\n";
  for (const Element& one : c.elements)
    text += fmt::format("    [{}] {:.9g} and {:.9g}\n", one.index, one.a, one.b);
  return text;
}

std::string differenceText(const Run& a, const Run& b, const Step& difference) {
  if (!difference.pair.a || !difference.pair.b) {
    const bool first = difference.pair.a.has_value();
    const Event& event = first ? a.events[*difference.pair.a] : b.events[*difference.pair.b];
    return fmt::format("only {} runs {} ({})\n", first ? "a" : "b", nameOf(event), placeOf(event));
  }
  const Event &x = a.events[*difference.pair.a], &y = b.events[*difference.pair.b];
  std::string text = fmt::format("{} differs: {} of a, {} of b\n", nameOf(x), placeOf(x), placeOf(y));
  if (x.kind == "copy" || x.kind == "set")
    text += "  what the host gives it is not the same in both runs\n";
  else
    text += difference.inputsAgree ? "  its inputs agree, its output does not\n"
                                   : "  its inputs differ already\n";
  if (!difference.argumentsAgree) text += "  it has other arguments by value\n";
  if (x.failed != y.failed) text += fmt::format("  it fails in {} alone\n", x.failed ? "a" : "b");
  for (const Output& output : difference.outputs)
    if (output.comparison.verdict == Verdict::kDifferent) text += outputText(output);
  return text;
}

nlohmann::json jsonOfEvent(const Run& run, const std::optional<size_t>& place) {
  if (!place) return nullptr;
  const Event& event = run.events[*place];
  return {{"event", event.number},        {"kind", event.kind}, {"name", event.name},
          {"signature", event.signature}, {"grid", event.grid}, {"block", event.block}};
}

// JSON has no infinity.
nlohmann::json numberOf(double value) {
  return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr);
}

}  // namespace

std::string textOf(const Run& a, const Run& b, const Result& result, bool all) {
  std::string text = fmt::format("a: {} ({}), {} events\nb: {} ({}), {} events\n", a.path, a.api,
                                 a.events.size(), b.path, b.api, b.events.size());
  if (result.differences.empty())
    return text + fmt::format(
                      "no difference in {} events, {} of them but for rounding, at most {:.2g} of what is "
                      "tolerated\n",
                      result.aligned, result.rounded, result.worst);
  text += "first difference: ";
  for (const size_t place : result.differences) {
    text += differenceText(a, b, result.steps[place]);
    if (!all) break;
  }
  if (!all && result.differences.size() > 1)
    text += fmt::format("{} later events differ too (--all)\n", result.differences.size() - 1);
  return text;
}

std::string jsonOf(const Run& a, const Run& b, const Result& result) {
  nlohmann::json json = {{"same", result.differences.empty()},
                         {"aligned", result.aligned},
                         {"rounded", result.rounded},
                         {"worst", numberOf(result.worst)}};
  json["differences"] = nlohmann::json::array();
  for (const size_t place : result.differences) {
    const Step& one = result.steps[place];
    nlohmann::json outputs = nlohmann::json::array();
    for (const Output& output : one.outputs) {
      const Comparison& c = output.comparison;
      if (c.verdict != Verdict::kDifferent) continue;
      nlohmann::json elements = nlohmann::json::array();
      for (const Element& element : c.elements)
        elements.push_back(
            {{"index", element.index}, {"a", numberOf(element.a)}, {"b", numberOf(element.b)}});
      outputs.push_back({{"where", output.where},
                         {"a", output.a},
                         {"b", output.b},
                         {"type", record::typeName(c.type)},
                         {"count", c.count},
                         {"different", c.different},
                         {"unit", c.byBlocks ? "blocks" : "elements"},
                         {"worst", numberOf(c.worst)},
                         {"note", c.note},
                         {"elements", elements}});
    }
    json["differences"].push_back({{"a", jsonOfEvent(a, one.pair.a)},
                                   {"b", jsonOfEvent(b, one.pair.b)},
                                   {"inputs_agree", one.inputsAgree},
                                   {"arguments_agree", one.argumentsAgree},
                                   {"outputs", outputs}});
  }
  return json.dump(2) + "\n";
}

}  // namespace musashim::diff
