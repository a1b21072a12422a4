#!/usr/bin/env python3
"""Writes the translator's C++ tables from mappings/: gen_tables.py MAPPINGS OUTPUT.inc PACKED.inc; PACKED has what
programs and libraries share (lib/names/packed_tables.h)."""
import re
import sys

import mapping
import ptx

STRIDE = 16  # rows from one of kHeads to the next: near enough to each other to be searched first
KINDS = {'rename': 'Rename', 'call': 'Call', 'unported': 'Unported'}


def word_hash(text):
    """As in lib/lex/word_hash.h."""
    word = text.encode('ascii')
    size = value = len(word)
    if size >= 8:
        pieces = [word[at:at + 8] for at in range(0, size - 8, 8)] + [word[-8:]]
    elif size >= 4:
        pieces = [word[:4] + word[-4:]]
    else:
        pieces = [bytes((word[0], word[size // 2], word[-1]))] if size else []
    for piece in pieces:
        value = ((value ^ int.from_bytes(piece, 'little')) * 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
        value ^= value >> 32
    return value & 0xFFFFFFFF


def quote(text):
    return '"' + text.replace('\\', '\\\\').replace('"', '\\"') + '"'


class Reasons:
    """Reason and remedy texts, each pair stored once."""

    def __init__(self):
        self.rows = [('', '')]

    def index(self, reason, remedy=''):
        row = (reason, remedy)
        if row not in self.rows:
            self.rows.append(row)
        return self.rows.index(row)


def build_rows(root, reasons):
    """[(name, target, kind, library, reason index)], one row per spelling."""
    libraries, entries = mapping.load_entries(root)
    members = mapping.load_members(root)
    library_names = [library.name for library in libraries] + ['words', 'strings']
    library_names += sorted({library for _, library in members.values()} - set(library_names))
    idioms = mapping.load_yaml(root, 'idioms.yml')['words']
    library_names += sorted(set(idioms) - set(library_names))
    preferred = set(mapping.load_yaml(root, 'reverse.yml')['preferred'])
    rows = {}
    unproven = mapping.load_yaml(root, 'absent.yml')['unproven']
    noted = frozenset(unproven['names'])
    for entry in entries.values():
        reason, remedy = entry.reason, entry.remedy
        if entry.kind == 'rename':  # a reason is a note for the user
            reason, remedy = (unproven['reason'], unproven['remedy']) if entry.name in noted else ('', '')
        if entry.kind != 'keep':
            rows[entry.name] = (entry.name, entry.target, KINDS[entry.kind], library_names.index(entry.library),
                                reasons.index(reason, remedy), entry.name in preferred)
    words = library_names.index('words')
    guards = mapping.load_yaml(root, 'guards.yml')
    for kind, part in (('Architecture', 'architecture'), ('Version', 'version'), ('Release', 'release')):
        for name, target in guards[part]['names'].items():
            rows[name] = (name, target, kind, words, 0, False)
    library_versions = re.compile(guards['libraries']['names'])
    for name, row in rows.items():
        if library_versions.search(name):
            rows[name] = (*row[:2], 'LibraryVersion', *row[3:])
    for name in guards['capability']['members']:
        rows[name] = (name, '', 'Number', words, 0, False)
    for word, becomes in mapping.load_yaml(root, 'words.yml')['paste'].items():
        # A function of that name is its library's (curand).
        library = rows[word][3] if word in rows else words
        rows[word] = (word, becomes, 'Word', library, 0, False)
    for name, (target, library) in members.items():
        rows[name] = (name, target, 'Member', library_names.index(library), 0, False)
    for word, becomes in mapping.load_yaml(root, 'words.yml')['namespaces'].items():
        rows[word] = (word, becomes, 'Namespace', words, 0, False)
    for library, group in idioms.items():
        for row in group['rows']:
            for name, target in row.get('renames', {}).items():
                rows[name] = (name, target, 'Idiom', library_names.index(library), 0, False)
            for name in row.get('names', []):
                rows[name] = (name, '', 'Idiom', library_names.index(library), reasons.index(row['reason'], row['remedy']), False)
    for word in ('asm', '__asm', '__asm__'):
        rows[word] = (word, '', 'Assembly', words, 0, False)
    for word in ('__has_include', '__has_include_next'):
        rows[word] = (word, '', 'HasInclude', words, 0, False)
    strings = mapping.load_yaml(root, 'strings.yml')
    symbols = [*strings['libraries'].items(), *strings['environment'].items()]
    symbols += [(row['from'] + name, row['to'] + name) for row in strings['environment_families'] for name in row['names']]
    for text, becomes in symbols:
        rows[text] = (text, becomes, 'Symbol', library_names.index('strings'), 0, False)
    for row in strings['unported']:
        for text in row['texts']:
            rows[text] = (text, '', 'Symbol', library_names.index('strings'), reasons.index(row['reason'], row['remedy']), False)
    return library_names, [rows[name] for name in sorted(rows)]


class Pool:
    """Texts in one array, each once. Tables of places in it need no relocation when the program starts."""

    def __init__(self):
        self.offsets, self.texts, self.size = {}, [], 0

    def place(self, text):
        """Where it is and how long."""
        if text not in self.offsets:
            self.offsets[text] = self.size
            self.size += len(text)
            self.texts.append(text)
        return self.offsets[text], len(text)

    def write(self, out, name):
        out.write(f'const char {name}[] =\n')
        for start in range(0, len(self.texts), 64):
            out.write('  ' + quote(''.join(self.texts[start:start + 64])) + '\n')
        out.write('  ;\n\n')


def write_names(out, packed, library_names, rows, prefixes):
    size = 1
    while size < 3 * len(rows):
        size *= 2
    slots = [0] * size
    for index, row in enumerate(rows):
        slot = word_hash(row[0]) & (size - 1)
        while slots[slot]:
            slot = (slot + 1) & (size - 1)
        slots[slot] = index + 1
    assert len(rows) < 65535
    pool = Pool()
    for row in rows:  # a name beside what it becomes: both are wanted together
        pool.place(row[0])
        pool.place(row[1])
    pool.write(packed, 'kPool')
    packed.write('const NameRow kRows[] = {\n')
    for name, target, kind, library, reason, _ in rows:
        packed.write(f'  {{{pool.place(name)[0]}, {pool.place(target)[0]}, {len(name)}, {len(target)}, NameKind::{kind}, '
                     f'{library}, {reason}}},\n')
    packed.write('};\n')
    write_heads(packed, [row[0] for row in rows[::STRIDE]])
    write_slots(packed, 'kSlots', slots)
    out.write(f'constexpr std::size_t kRowCount = {len(rows)}, kStride = {STRIDE}, kHeadCount = {-(-len(rows) // STRIDE)};\n'
              f'constexpr std::uint32_t kSlotMask = {size - 1};\n')
    out.write('constexpr std::string_view kLibraries[] = {')
    out.write(', '.join(quote(name) for name in library_names) + '};\n\n')
    out.write('// Of every name that code can hold.\n')
    write_beginnings(out, 'kBeginnings', [row[0] for row in rows if row[2] != 'Symbol'] + list(prefixes))


def write_heads(out, names):
    """The first eight characters as a number that compares as they do; zeros follow shorter texts."""
    out.write('const std::uint64_t kHeads[] = {\n')
    for name in names:
        out.write(f"  0x{int.from_bytes(name.encode()[:8].ljust(8, bytes(1)), 'big'):x}u,\n")
    out.write('};\n\n')


def write_slots(out, name, slots):
    out.write(f'const std::uint16_t {name}[] = {{\n')
    for start in range(0, len(slots), 32):
        out.write('  ' + ','.join(map(str, slots[start:start + 32])) + ',\n')
    out.write('};\n\n')


def write_beginnings(out, name, words):
    """The first four characters of the words, each once."""
    beginnings = sorted({word[:4].ljust(4, '\0') for word in words})
    text = ''.join(''.join('\\0' if c == '\0' else c for c in beginning) for beginning in beginnings)
    out.write(f'constexpr char {name}Text[] = "{text}";\n'
              f'constexpr std::string_view {name}({name}Text, sizeof {name}Text - 1);\n\n')


def write_pairs(out, name, pairs):
    out.write(f'constexpr TextPair {name}[] = {{\n')
    for left, right in pairs:
        out.write(f'  {{{quote(left)}, {quote(right)}}},\n')
    out.write('};\n\n')


def write_headers(out, root, reasons):
    headers = mapping.load_yaml(root, 'headers.yml')
    write_pairs(out, 'kHeaders', headers['exact'].items())
    write_pairs(out, 'kHeaderPrefixes', headers['prefixes'].items())
    write_list(out, 'kPreferredHeaders', mapping.load_yaml(root, 'reverse.yml')['headers'])
    for table, key in (('kUnportedHeaders', 'unported'), ('kNotedHeaders', 'noted')):
        out.write(f'constexpr UnportedHeader {table}[] = {{\n')
        for row in headers[key]:
            out.write(f"  {{{quote(row['match'])}, {reasons.index(row['reason'], row['remedy'])}}},\n")
        out.write('};\n\n')


def write_guards(out, root, reasons):
    guards = mapping.load_yaml(root, 'guards.yml')
    for name, part in (('kArchitectureBack', 'architecture'), ('kVersionBack', 'version')):
        out.write(f'constexpr Level {name}[] = {{')
        out.write(', '.join(f"{{{musa}, {cuda}}}" for musa, cuda in sorted(guards[part]['back'].items())) + '};\n')
    for name, part in (('kArchitecture', 'architecture'), ('kVersion', 'version')):
        out.write(f'constexpr Level {name}Levels[] = {{\n')
        for level in guards[part]['levels']:
            out.write(f"  {{{level['cuda']}, {0 if level['musa'] == 'same' else level['musa']}}},\n")
        beyond = guards[part]['beyond']
        out.write(f"}};\nconstexpr std::uint16_t {name}Beyond = {reasons.index(beyond['reason'], beyond['remedy'])};\n")
    for name in ('release', 'exact', 'opaque', 'together', 'encoding', 'ptx', 'capability', 'running', 'libraries'):
        row = guards[name]
        out.write(f"constexpr std::uint16_t kGuard{name.capitalize()} = {reasons.index(row['reason'], row['remedy'])};\n")
    out.write('\n')


def write_face(out, root):
    face = mapping.load_yaml(root, 'face.yml')
    out.write(f"constexpr std::string_view kFaceReason = {quote(face['reason'])};\n")
    out.write('constexpr std::string_view kFaceNames[] = {\n')
    for name in face['names']:
        out.write(f'  {quote(name)},\n')
    out.write('};\n\n')


def write_idioms(out, root, reasons):
    idioms = mapping.load_yaml(root, 'idioms.yml')
    out.write('constexpr IdiomEvidence kIdiomEvidence[] = {\n')
    for library, group in idioms['words'].items():
        for text in group['evidence']:
            out.write(f'  {{{quote(library)}, {quote(text)}}},\n')
    out.write('};\n\nconstexpr PlainWord kPlainWords[] = {\n')
    for name, argument in idioms['plain'].items():
        out.write(f'  {{{quote(name)}, {quote(argument)}}},\n')
    out.write('};\n\nconstexpr NotedUse kNotedUses[] = {\n')
    for name, row in sorted((name, row) for row in idioms['uses'] for name in row['names']):
        out.write(f"  {{{quote(name)}, {row.get('most', 0)}, {reasons.index(row['reason'], row['remedy'])}}},\n")
    out.write('};\n\n')


def write_assembly(out, shared, root, reasons):
    data = mapping.load_yaml(root, 'ptx.yml')
    rows = sorted(ptx.expand(data['rewrite']), key=lambda row: row[0])  # stable: the order of the records decides
    pool = Pool()
    packed = [[pool.place(text) for text in (opcode, to, ' '.join(sources), becomes, note)] + [carry]
              for opcode, to, sources, becomes, note, carry in rows]
    pool.write(shared, 'kPtxPool')
    shared.write('const PackedPtxRule kPtxRules[] = {\n')
    for *texts, carry in packed:
        shared.write(f"  {{{', '.join(f'{{{at}, {size}}}' for at, size in texts)}, {'true' if carry else 'false'}}},\n")
    shared.write('};\n')
    out.write(f'constexpr std::size_t kPtxRuleCount = {len(packed)};\n')
    out.write('constexpr PtxRegister kPtxRegisters[] = {\n')
    for name, row in sorted(data['registers'].items()):
        out.write(f"  {{{quote(name)}, {quote(row['is'])}, {quote(row['type'])}}},\n")
    out.write('};\n\nconstexpr PtxHeader kPtxHeaders[] = {\n')
    for row in data['headers']:
        out.write(f"  {{{quote(row['uses'])}, {quote(row['include'])}, {quote(row['name'])}, {quote(row['type'])}}},\n")
    out.write('};\n\nconstexpr PtxMeaning kPtxMeanings[] = {\n')
    for name, row in sorted(data['meanings'].items(), reverse=True):  # longer prefixes first
        out.write(f"  {{{quote(name)}, {quote(row['is'])}, {quote(row['do'])}}},\n")
    out.write('};\n\n')
    for table, key in (('kPtxInstructions', 'instructions'), ('kForeignModifiers', 'foreign')):
        out.write(f"constexpr std::string_view {table}[] = {{{', '.join(map(quote, sorted(data[key].split())))}}};\n")
    unported = data['unported']
    out.write(f"constexpr std::uint16_t kUnportedAssembly = {reasons.index(unported['reason'], unported['remedy'])};\n\n")


def write_families(out, root, library_names):
    """Names known by their prefix: too many for a list, because headers make them from macros."""
    out.write('constexpr Family kFamilies[] = {\n')
    for library in mapping.load_libraries(root):
        for family in library.families:
            out.write(f"  {{{quote(family['prefix'])}, {quote(family['replace'])}, {library_names.index(library.name)}}},\n")
    out.write('};\n\n')


def write_reverse(out, packed, rows):
    """MUSA names by hash: for --reverse, and to see names that the project has already."""
    targets = {}
    for index, row in enumerate(rows):
        if row[2] in ('Rename', 'Architecture', 'Version', 'LibraryVersion', 'Member') and (row[1] not in targets or row[5]):
            targets[row[1]] = index
    size = 1
    while size < 3 * len(targets):
        size *= 2
    slots = [0] * size
    for target, index in targets.items():
        slot = word_hash(target) & (size - 1)
        while slots[slot]:
            slot = (slot + 1) & (size - 1)
        slots[slot] = index + 1
    write_slots(packed, 'kTargetSlots', slots)
    out.write(f'constexpr std::uint32_t kTargetMask = {size - 1};\n')
    write_beginnings(out, 'kTargetBeginnings', targets)


def write_targets(out, root, rows, reasons):
    data = mapping.load_yaml(root, 'targets.yml')
    out.write('constexpr Target kTargets[] = {\n')
    for name, row in sorted(data['targets'].items()):
        out.write(f"  {{{quote(name)}, {row['architecture']}, {row['warp']}, {row['shared']}, {row['threads']}, {quote(row['devices'])}}},\n")
    out.write('};\n\nconstexpr MissingName kMissing[] = {\n')
    patterns = [(re.compile(row['match']), row) for row in data['missing']]
    for target in sorted({row[1] for row in rows if row[2] in ('Rename', 'LibraryVersion', 'Call')}):
        for pattern, row in patterns:
            if pattern.search(target):
                since = round(float(row.get('since', 0)) * 100)
                out.write(f"  {{{quote(target)}, {since}, {row.get('from', 0)}, {reasons.index(row['reason'], row['remedy'])}}},\n")
    out.write('};\n\n')


def write_list(out, name, texts):
    out.write(f'constexpr std::string_view {name}[] = {{{", ".join(quote(text) for text in texts)}}};\n')


def main():
    root, output, packed_output = sys.argv[1:4]
    reasons = Reasons()
    library_names, rows = build_rows(root, reasons)
    with open(output, 'w', encoding='ascii') as out, open(packed_output, 'w', encoding='ascii') as packed:
        for file in (out, packed):
            file.write('// Generated by gen_tables.py from translator/mappings. Do not edit.\n\n')
        families = [family for library in mapping.load_libraries(root) for family in library.families]
        words = mapping.load_yaml(root, 'words.yml')
        write_names(out, packed, library_names, rows, [family['prefix'] for family in families])
        write_reverse(out, packed, rows)
        write_families(out, root, library_names)
        write_headers(out, root, reasons)
        write_guards(out, root, reasons)
        write_face(out, root)
        write_idioms(out, root, reasons)
        write_assembly(out, packed, root, reasons)
        write_targets(out, root, rows, reasons)
        write_pairs(out, 'kSymbols', [(row[0], row[1]) for row in rows if row[2] == 'Symbol'])
        namespace = words['namespace']
        write_list(out, 'kNamespaceMembers', namespace['members'])
        write_list(out, 'kNamespaceQualifiers', namespace['qualifiers'])
        write_list(out, 'kNamespacesWithOwn', namespace['others'])
        write_pairs(out, 'kReasons', reasons.rows)


if __name__ == '__main__':
    main()
