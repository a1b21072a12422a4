#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "diff/tool/run.h"
#include "translator/lib/port.h"

namespace musashim::diff {
namespace {

using Json = nlohmann::json;

std::string bytesOf(const std::string& hex) {
  std::string bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  return bytes;
}

std::vector<Pointer> pointersOf(const Json& object) {
  std::vector<Pointer> pointers;
  for (const Json& one : object.value("pointers", Json::array()))
    pointers.push_back({one.at(0), one.at(1), one.at(2)});
  return pointers;
}

// "void ns::f<int>(float*)" -> "ns::f<int>". In the vendor's words, as musaport would write them.
std::string kernelKey(const std::string& signature) {
  std::string name = signature;
  int level = 0;
  for (size_t i = name.size(); i-- > 0;) {
    level += name[i] == ')' ? 1 : name[i] == '(' ? -1 : 0;
    if (name[i] != '(' || level != 0) continue;
    name.resize(i);
    break;
  }
  level = 0;
  for (size_t i = name.size(); i-- > 0;) {
    level += name[i] == '>' || name[i] == ')' ? 1 : name[i] == '<' || name[i] == '(' ? -1 : 0;
    if (name[i] != ' ' || level != 0) continue;
    name.erase(0, i + 1);  // what it returns
    break;
  }
  return translator::portSource(name, {}, translator::noProject()).text;
}

double numberOf(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found == object.end() || found->is_null() ? 0 : found->get<double>();
}

Touched touchedOf(const Json& object) {
  Touched touched{object.at("allocation"), object.at("before"), object.at("after"), pointersOf(object)};
  if (!object.contains("type")) return touched;
  touched.type = record::typeOfName(object.at("type"));
  touched.min = numberOf(object, "min");
  touched.max = numberOf(object, "max");
  touched.mean = numberOf(object, "mean");
  touched.magnitude = numberOf(object, "magnitude");
  touched.nan = object.at("nan");
  touched.infinite = object.at("infinite");
  touched.firstBlock = object.at("sketch").at(0);
  touched.blocks = object.at("sketch").at(1);
  return touched;
}

Event eventOf(const Json& object) {
  Event event;
  event.number = object.at("number");
  event.kind = object.at("event");
  event.failed = object.value("failed", false);
  event.name = object.value("name", "");
  event.signature = object.value("signature", event.name);
  for (const Json& one : object.at("touched")) event.touched.push_back(touchedOf(one));
  event.key = event.kind + " ";
  if (event.kind == "copy" || event.kind == "set") {
    event.key += std::to_string(object.at("bytes").get<size_t>());
    return event;
  }
  event.key += kernelKey(event.signature);
  if (event.kind != "kernel") return event;
  event.grid = object.at("grid").get<std::array<unsigned, 3>>();
  event.block = object.at("block").get<std::array<unsigned, 3>>();
  event.shared = object.at("shared");
  event.image = object.value("image", "");
  for (const Json& one : object.at("arguments"))
    event.arguments.push_back({one.at("offset"), bytesOf(one.at("bytes")), pointersOf(one)});
  return event;
}

void addLine(const std::string& line, Run& run) {
  const Json object = Json::parse(line);
  if (object.contains("format")) {
    if (object.at("version") != 1)
      throw std::runtime_error("of another version: record with this SDK's recorder");
    run.api = object.at("api");
    run.program = object.at("program");
    return;
  }
  const std::string kind = object.at("event");
  if (kind == "allocate") {
    run.allocations.push_back({object.at("bytes"), object.at("kind"), object.value("name", "")});
  } else if (object.contains("number")) {
    Event event = eventOf(object);
    // A copy to the host writes nothing here.
    if (event.kind == "kernel" || !event.touched.empty()) run.events.push_back(std::move(event));
  }
}

}  // namespace

std::optional<std::string> Run::content(const std::string& hash) const {
  std::ifstream file(path + "/contents/" + hash, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string{std::istreambuf_iterator<char>(file), {}};
}

bool readRun(const std::string& path, Run& run, std::string& error) {
  run.path = path;
  std::ifstream index(path + "/index.jsonl");
  if (!index) {
    error = "'" + path + "' is no recorded run: it has no index.jsonl";
    return false;
  }
  std::string line;
  size_t number = 0;
  try {
    while (std::getline(index, line)) {
      ++number;
      addLine(line, run);
    }
  } catch (const std::exception& problem) {
    error = path + "/index.jsonl:" + std::to_string(number) + ": " + problem.what();
    return false;
  }
  if (run.api.empty()) {
    error = "'" + path + "/index.jsonl' is no recording";
    return false;
  }
  std::ifstream sketches(path + "/sketches.bin", std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(sketches), {}};
  run.sketches.resize(bytes.size() / sizeof(BlockSketch));
  std::copy_n(bytes.data(), run.sketches.size() * sizeof(BlockSketch),
              reinterpret_cast<char*>(run.sketches.data()));
  return true;
}

}  // namespace musashim::diff
