#pragma once

// The mapping data, compiled in: generated from translator/mappings by tools/gen_tables.py.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "translator/lib/lex/word_filter.h"

namespace musashim::translator {

enum class NameKind : std::uint8_t {
  Rename,          // target is the MUSA name; with a reason, it wants a look
  Call,            // NAME() becomes target
  Unported,        // stays, and is reported with the reason
  Architecture,    // __CUDA_ARCH__: renamed only together with the number it is compared with
  Version,         // CUDA_VERSION, CUDART_VERSION: likewise
  Release,         // __CUDACC_VER_MAJOR__: likewise, as the version of a thousandfold
  LibraryVersion,  // CUBLAS_VERSION: renamed, but for where it is compared with a number
  Word,            // cuda, nccl, ...: renamed beside ## and as libcu++'s namespace only
  Assembly,        // asm and its spellings
  HasInclude,      // __has_include
  Symbol,          // a text of strings only: environment variable, library file; without a target, unported
  Member,          // of an API record: renamed after . and ->, in files that use its library
  Number,          // member of a record whose value NVIDIA and MUSA count otherwise: stays
  Namespace,       // cutlass, cute: renamed before :: unless the project has one of that name
  Idiom,           // means NVIDIA's platform without being of its API: stays, and is reported
  Keep,            // by the user's rules: stays, whatever the tables say
};

/// Why a place is left or wants a look, and what to do about it. Of static storage, or the rules'.
struct Advice {
  std::string_view reason;
  std::string_view remedy;
};

struct KnownName {
  std::string_view name;
  std::string_view target;
  std::string_view library;
  NameKind kind;
  Advice advice;
  bool lasting = false;  // the target is of static storage
};

/// Of the known names, and of their counterparts.
extern const WordFilter kNameFilter;
extern const WordFilter kTargetFilter;

/// Looks `name` up; false if it is not known.
bool findName(std::string_view name, KnownName& found);

/// Says that findName() will be asked for the words of these hashes: what it needs is then on its way.
void expectNames(std::span<const std::uint32_t> hashes);

/// Does a known name go on from `beginning`?
bool beginsNames(std::string_view beginning);

/// The name whose MUSA counterpart is `target`; false if `target` is no name of MUSA's that we know.
/// `found` is as from findName() with the direction turned: target is CUDA's name.
bool findTarget(std::string_view target, KnownName& found);

/// Calls `visit` for each row, in the order of the names: for tables made at run time.
void visitNames(void (*visit)(const KnownName& name, void* context), void* context);

/// Names known by a prefix that their headers build macros from: nvshmem_, CUTLASS_.
struct NameFamily {
  std::string_view prefix;
  std::string_view becomes;
  std::string_view library;
};
std::span<const NameFamily> nameFamilies();

struct TextPair {
  std::string_view left;
  std::string_view right;
};
/// Headers and their prefixes; texts of strings (libraries, environment variables): CUDA's and MUSA's.
std::span<const TextPair> headerNames();
std::span<const TextPair> symbolTexts();
/// Beginnings of headers that unportedHeader() knows.
std::span<const std::string_view> unportedHeaders();

/// The MUSA name of a CUDA header as written in #include; empty if it has none.
/// `scratch` holds the result when it is composed of a prefix and the rest.
std::string_view mapHeader(std::string_view header, std::string& scratch);
/// The CUDA header of a MUSA header; as mapHeader().
std::string_view unmapHeader(std::string_view header, std::string& scratch);
/// Advice if the header belongs to a library without a counterpart, else null.
const Advice* unportedHeader(std::string_view header);
/// Advice if the header has a MUSA name, but is not in every SDK; else null.
const Advice* notedHeader(std::string_view header);

bool isNamespaceMember(std::string_view name);     // cuda::NAME of libcu++
bool isNamespaceQualifier(std::string_view name);  // NAME::cuda
/// Namespaces of other libraries that have one called cuda.
std::span<const std::string_view> namespacesWithOwn();

enum class GuardKind : std::uint8_t { Architecture, Version, Release };

/// What a comparison "at least `number`" becomes.
struct GuardLevel {
  bool mapped;
  long number;    // meaningful if mapped
  Advice advice;  // meaningful if not
};
GuardLevel mapAtLeast(GuardKind kind, long number);
GuardLevel unmapAtLeast(GuardKind kind, long number);

Advice guardRelease();
Advice guardExact();
Advice guardOpaque();
Advice guardTogether();
Advice guardEncoding();
Advice guardPtx();
Advice guardCapability();
Advice guardRunning();
Advice guardLibrary();

/// Names that stay where a source is only compiled, by the CUDA face of the SDK (mappings/face.yml), and why.
std::span<const std::string_view> faceNames();
std::string_view faceReason();

/// A rule of mappings/ptx.yml, which explains the fields.
struct PtxRule {
  std::string_view opcode;
  std::string_view to;       // type of the destination, or empty
  std::string_view sources;  // types, separated by blanks
  std::string_view becomes;
  std::string_view note;
  bool carry;
};
/// The rules for an opcode in the order in which they are to be tried.
std::vector<PtxRule> findPtxRules(std::string_view opcode);

struct PtxRegister {
  std::string_view name;  // tid.x
  std::string_view is;
  std::string_view type;
};
const PtxRegister* findPtxRegister(std::string_view name);

/// A header that declares what inline PTX becomes.
struct PtxHeader {
  std::string_view uses;     // occurs in the result
  std::string_view include;  // musa_fp16.h
  std::string_view name;     // how files that include CUDA's speak of it,
  std::string_view type;     // or of what it declares
};
std::span<const PtxHeader> ptxHeaders();

struct PtxMeaning {
  std::string_view opcode;  // or its beginning, up to a point
  std::string_view is;      // "loads from memory"
  std::string_view remedy;
};
/// What an instruction does by PTX's documentation; null if it is not known.
const PtxMeaning* findPtxMeaning(std::string_view opcode);
/// Does an instruction of PTX begin with the word, up to its first point?
bool isPtxInstruction(std::string_view word);
/// Do other processors have the modifier, behind the first point, but not PTX?
bool isForeignModifier(std::string_view modifier);
Advice unportedAssembly();

/// What one architecture can do.
struct Target {
  std::string_view name;  // mp_22
  unsigned architecture;  // __MUSA_ARCH__
  unsigned warp;          // lanes
  std::uint64_t shared;   // bytes a block may have
  unsigned threads;       // a multiprocessor can hold
  std::string_view devices;
};
std::span<const Target> targets();  // oldest first

/// A MUSA name that not every SDK or architecture has.
struct MissingName {
  std::string_view name;
  unsigned since;         // first SDK, 100 * major + 10 * minor; 0: any
  unsigned architecture;  // first __MUSA_ARCH__; 0: any
  std::uint16_t reason;
};
std::span<const MissingName> missingNames(std::string_view target);
Advice adviceOn(const MissingName& missing);

/// A text that a file holds if it is one of a library of idioms.
struct IdiomEvidence {
  std::string_view library;
  std::string_view text;
};
std::span<const IdiomEvidence> idiomEvidence();

/// A word that asks for nothing special where each of its arguments is this one.
struct PlainWord {
  std::string_view name;
  std::string_view argument;
};
const PlainWord* findPlainWord(std::string_view name);

/// A name that is renamed, but whose use wants a look.
struct NotedUse {
  std::string_view name;
  std::size_t most;  // arguments of a call that does not; 0: each use does
  std::uint16_t reason;
};
const NotedUse* findNotedUse(std::string_view name);
Advice adviceOn(const NotedUse& use);

/// Number of known names, for --version.
std::size_t knownNames();

}  // namespace musashim::translator
