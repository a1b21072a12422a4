#include "translator/tool/again/seen.h"

#include <sys/stat.h>

#include <mutex>
#include <nlohmann/json.hpp>
#include <set>

#include "translator/lib/tree/files.h"

namespace musashim::translator {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr int kFormat = 1;

class Hash {
 public:
  Hash& operator<<(std::string_view text) {
    const std::uint64_t size = text.size();
    *this << size;
    hash_.add(text);
    return *this;
  }
  Hash& operator<<(std::uint64_t number) {
    hash_.add({reinterpret_cast<const char*>(&number), sizeof number});
    return *this;
  }
  template <typename Texts>
  Hash& all(const Texts& texts) {
    *this << std::uint64_t{texts.size()};
    for (const std::string& text : texts) *this << std::string_view(text);
    return *this;
  }
  std::uint64_t value() const { return hash_.value(); }

 private:
  TextHash hash_;
};

std::uint64_t surroundingsOf(const Arguments& arguments, const Project& project, const BuildFacts& facts) {
  Hash hash;
  struct stat program{};
  stat("/proc/self/exe", &program);
  hash << std::uint64_t(program.st_mtim.tv_sec) << std::uint64_t(program.st_mtim.tv_nsec)
       << std::uint64_t(program.st_size) << std::string_view(MUSASHIM_VERSION);
  const PortOptions& port = arguments.port;
  hash << std::uint64_t(port.comments) << std::uint64_t(port.strings) << std::uint64_t(port.rawStrings)
       << std::uint64_t{arguments.wantsAll()} << std::uint64_t{arguments.record}
       << std::uint64_t{arguments.sdk} << std::uint64_t{arguments.cudaFace};
  hash.all(arguments.targets).all(arguments.excludes).all(facts.targets);
  hash << std::uint64_t{facts.torch};
  for (const fs::path& rules : arguments.rules) hash << std::string_view(readFile(rules));
  for (const ProjectFile& file : project.files()) hash << file.relative << std::uint64_t(file.kind);
  return hash.value();
}

/// Words that the tables have for ever, and reports refer to.
std::string_view lasting(const std::string& word) {
  static std::mutex mutex;
  static std::set<std::string, std::less<>> words;
  const std::lock_guard lock(mutex);
  return *words.insert(word).first;
}

Json::binary_t bytesOf(std::string_view text) {
  return {std::vector<std::uint8_t>(text.begin(), text.end())};
}
std::string textOf(const Json& bytes) {
  const auto& binary = bytes.get_binary();
  return {binary.begin(), binary.end()};
}

Json jsonOf(const Outcome& outcome) {
  Json findings = Json::array(), counts = Json::array(), definitions = Json::array();
  for (std::size_t i = 0; i < outcome.ownFindings; ++i) {
    const auto& [finding, place] = outcome.report.findings[i];
    findings.push_back({int(finding.kind), finding.begin, finding.end, bytesOf(finding.subject),
                        bytesOf(finding.library), bytesOf(finding.reason), bytesOf(finding.remedy),
                        place.line, place.column, place.unit});
  }
  for (const auto& [under, number] : outcome.report.counts) counts.push_back({bytesOf(under), number});
  for (const Definition& one : outcome.definitions)
    definitions.push_back({int(one.kind), one.begin, bytesOf(one.name), bytesOf(one.space), one.local});
  Json json = {{"hash", outcome.sourceHash},
               {"edits", outcome.report.edits},
               {"names", outcome.names},
               {"macros", outcome.wantedMacros},
               {"findings", std::move(findings)},
               {"counts", std::move(counts)},
               {"definitions", std::move(definitions)}};
  if (outcome.recorded) {
    Json edits = Json::array();
    for (const RecordedEdit& edit : outcome.recorded->edits)
      edits.push_back({edit.begin, edit.length, bytesOf(edit.original)});
    json["recorded"] = {bytesOf(outcome.recorded->source), outcome.recorded->hash, std::move(edits)};
  }
  return json;
}

void readOutcome(const Json& json, Outcome& outcome) {
  outcome.report.edits = json.at("edits");
  outcome.names = json.at("names");
  outcome.wantedMacros = json.at("macros");
  for (const Json& one : json.at("findings")) {
    Finding finding{FindingKind(one.at(0).get<int>()), one.at(1),         one.at(2),        textOf(one.at(3)),
                    lasting(textOf(one.at(4))),        textOf(one.at(5)), textOf(one.at(6))};
    outcome.report.findings.push_back({std::move(finding), {one.at(7), one.at(8), one.at(9)}});
  }
  outcome.ownFindings = outcome.report.findings.size();
  for (const Json& one : json.at("counts"))
    outcome.report.counts.emplace_back(lasting(textOf(one.at(0))), one.at(1).get<std::size_t>());
  for (const Json& one : json.at("definitions")) {
    outcome.definitions.push_back(
        {Definition::Kind(one.at(0).get<int>()), one.at(1), textOf(one.at(2)), textOf(one.at(3)), one.at(4)});
  }
  if (!json.contains("recorded")) return;
  const Json& recorded = json.at("recorded");
  outcome.recorded = std::make_unique<RecordedFile>();
  outcome.recorded->source = textOf(recorded.at(0));
  outcome.recorded->hash = recorded.at(1);
  for (const Json& edit : recorded.at(2))
    outcome.recorded->edits.push_back({edit.at(0), edit.at(1), textOf(edit.at(2))});
}

}  // namespace

Seen::Seen(const Arguments& arguments, const Project& project, const BuildFacts& facts,
           const fs::path& output)
    : surroundings_(surroundingsOf(arguments, project, facts)) {
  const fs::path place = output / kSeenName;
  if (!fs::is_regular_file(place)) return;
  const Json all = Json::from_cbor(readFile(place), true, false);
  // Whatever is wrong with it: then all is ported.
  try {
    if (all.is_discarded() || all.at("format") != kFormat || all.at("surroundings") != surroundings_) return;
    definitions_ = all.at("definitions");
    for (const Json& file : all.at("files"))
      files_.emplace(textOf(file.at(0)), File{file.at(1), textOf(file.at(2))});
  } catch (const Json::exception&) {
    files_.clear();
  }
}

bool Seen::take(const ProjectFile& file, std::string_view text, Outcome& outcome) const {
  const auto found = files_.find(file.relative);
  if (found == files_.end() || found->second.hash != translator::hashOf(text)) return false;
  try {
    readOutcome(Json::from_cbor(found->second.outcome), outcome);
  } catch (const Json::exception&) {
    outcome = Outcome();
    return false;
  }
  outcome.report.file = &file;
  outcome.sourceHash = found->second.hash;
  outcome.report.seen = outcome.seen = true;
  return true;
}

std::uint64_t Seen::hashOf(const Definitions& all) {
  Hash hash;
  hash.all(all.symbols.plain);
  for (const auto& [name, spaces] : all.symbols.spaces) (hash << std::string_view(name)).all(spaces);
  for (const auto& [file, names] : all.symbols.local) (hash << std::string_view(file)).all(names);
  for (const auto& [name, parameters] : *all.pasting) {
    hash << std::string_view(name) << std::uint64_t{parameters.size()};
    for (const PastedParameter& parameter : parameters) {
      hash.all(parameter.endings) << std::uint64_t{parameter.used}
                                  << std::uint64_t{parameter.partners.size()};
      for (const std::size_t partner : parameter.partners) hash << std::uint64_t{partner};
      for (const auto& [macro, number] : parameter.passed)
        hash << std::string_view(macro) << std::uint64_t{number};
    }
  }
  for (const auto& [name, texts] : *all.texts) {
    hash << std::string_view(name) << std::uint64_t{texts.size()};
    for (const TextPieces& pieces : texts) hash.all(pieces);
  }
  return hash.value();
}

std::string Seen::text(const Project& project, const std::vector<Outcome>& outcomes,
                       const Definitions& all) const {
  Json files = Json::array();
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const ProjectFile& file = project.files()[i];
    if (outcomes[i].sourceHash == 0) continue;
    const std::vector<std::uint8_t> cbor = Json::to_cbor(jsonOf(outcomes[i]));
    files.push_back({bytesOf(file.relative), outcomes[i].sourceHash, Json::binary_t(cbor)});
  }
  const std::vector<std::uint8_t> cbor = Json::to_cbor(Json{{"format", kFormat},
                                                            {"surroundings", surroundings_},
                                                            {"definitions", hashOf(all)},
                                                            {"files", std::move(files)}});
  return {cbor.begin(), cbor.end()};
}

}  // namespace musashim::translator
