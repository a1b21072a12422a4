#!/usr/bin/env python3
"""Which sources of targets are compiled as one: prints `target|batch|source` for each that has company.

  cmake/unity_batches.py LINES < `target|source` lines

Sources of a batch come to at most LINES lines. What a file has for itself (unnamed namespaces, static names, macros) must
mean nothing in the others of its batch: two files whose names could meet are not in one. Where that is not certain, they are
not either: this reads words, not C++.
"""
import collections
import dataclasses
import functools
import pathlib
import re
import sys

TOKEN = re.compile(r"[A-Za-z_]\w*|::|->|[^\s\w]|\d[\w.']*")
NOT_CODE = re.compile(r'R"([^ ()\\]{0,16})\(.*?\)\1"|//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.DOTALL)
NOT_NAMES = {"if", "for", "while", "switch", "return", "sizeof", "alignas", "decltype", "noexcept", "operator", "const", "constexpr",
             "static", "inline", "struct", "class", "enum", "union", "using", "typename", "template", "auto", "void", "bool", "int",
             "unsigned", "char", "long", "short", "float", "double", "final", "__attribute__"}


@dataclasses.dataclass
class Source:
    path: str
    lines: int = 0
    alone: bool = False
    functions: set = dataclasses.field(default_factory=set)  # names that are this file's
    own: set = dataclasses.field(default_factory=set)  # others that are
    public: set = dataclasses.field(default_factory=set)  # names that are not, with those of the headers it includes
    imported: dict = dataclasses.field(default_factory=dict)  # names of other namespaces
    macros: set = dataclasses.field(default_factory=set)
    words: set = dataclasses.field(default_factory=set)
    unqualified: set = dataclasses.field(default_factory=set)  # names looked up from where they stand
    called: set = dataclasses.field(default_factory=set)  # those of them that may be functions
    directives: set = dataclasses.field(default_factory=set)  # namespaces whose names hold in the whole file


@functools.cache
def header_names(path):
    return frozenset(read(path).public)


@functools.cache
def header(folder, name):
    """The header of the project that an #include "name" in a file of the folder finds."""
    for folder in (folder, *folder.parents):
        if (folder / name).is_file():
            return str((folder / name).resolve())
        if (folder / ".clang-format").exists():
            return None
    return None


def without_preprocessor(text, source):
    code = []
    for line in text.replace("\\\n", " ").split("\n"):
        directive = re.match(r"\s*#\s*(\w+)\s*(\w*)", line)
        if not directive:
            code.append(line)
            continue
        if directive[1] == "define":
            source.macros.add(directive[2])
        elif directive[1] == "include" and source.macros:
            source.alone = True  # what it includes may depend on the macro
        elif directive[1] == "pragma" and not code[-1:] == [""] and directive[2] not in ("clang", "unroll"):
            source.alone = True
    return "\n".join(code)


def declared_name(head):
    """The name that a declaration at the level of a namespace declares, of the tokens before its body or end."""
    depth = 0
    for place, token in enumerate(head):
        after = head[place + 1] if place + 1 < len(head) else ";"
        if token == "<":
            depth += 1
        elif token == ">":
            depth = max(0, depth - 1)
        elif depth == 0 and re.match(r"[A-Za-z_]", token) and token not in NOT_NAMES:
            if place and head[place - 1] in ("struct", "class", "enum", "union", "using") and after != "::":
                return token
            if after in ("(", "=", "[", ";", "{"):
                return "" if place and head[place - 1] in ("::", "~") else token
    return ""


def read(path):
    text = pathlib.Path(path).read_text()
    source = Source(path, text.count("\n"))
    folder = pathlib.Path(path).parent
    for name in re.findall(r'^#include "([^"]+)"', text, re.MULTILINE):
        if found := header(folder, name):
            source.public |= header_names(found)
    tokens = TOKEN.findall(without_preprocessor(NOT_CODE.sub(lambda found: " " if found[0][0] == "/" else " 0 ", text), source))
    source.words = set(tokens)
    for before, token, after in zip(["", *tokens], tokens, [*tokens[1:], ""]):
        if before not in (".", "->", "::"):
            source.unqualified.add(token)
            if after in ("(", "<") or before in ("=", ",", "(", "&", ":", "?", "return"):
                source.called.add(token)
    scopes = []  # of each open brace: is it a namespace's, and does that have a name
    spaces = True  # no scope is code
    head = []
    for token in tokens:
        if token == "{":
            if spaces and head[:1] == ["namespace"]:
                scopes.append("named" if len(head) > 1 else "unnamed")
            elif spaces and "extern" in head and "(" not in head:
                scopes.append("named")
            else:
                if spaces:
                    note(source, head, "unnamed" in scopes)
                scopes.append("code")
                spaces = False
            head = []
        elif token == "}":
            if scopes:
                scopes.pop()
                spaces = "code" not in scopes
            head = []
        elif not spaces:
            continue
        elif token == ";":
            note(source, head, "unnamed" in scopes)
            head = []
        else:
            head.append(token)
    return source


def note(source, head, unnamed):
    if head[:2] == ["using", "namespace"]:
        source.directives.add("".join(head[2:]))
        return
    if not head:
        return
    if not (unnamed or "static" in head or "constexpr" in head or head[0] in ("using", "namespace", "const")):
        source.public.add(declared_name(head))
        source.public.discard("")
        return
    if head[0] == "using" and "=" not in head:
        source.imported[head[-1]] = "".join(head[1:])
        return
    if head[0] == "namespace":
        source.own.add(head[1])
        return
    name = declared_name(head)
    is_function = name and head[0] not in ("using", "struct", "class", "enum", "union") and head[head.index(name) + 1:][:1] == ["("]
    (source.functions if is_function else source.own).add(name)
    if source.path.endswith(".h"):
        source.public.add(name)
    source.own.discard("")
    source.public.discard("")
    source.functions.discard("")


def meet(one, other):
    def reaches(one, other):
        imported = {name for name, full in one.imported.items() if other.imported.get(name, full) != full}
        return (one.own & other.unqualified or one.functions & other.called or one.macros & other.words or imported
                or one.imported.keys() & (other.own | other.functions) or (one.own | one.functions) & other.public)
    return bool(reaches(one, other) or reaches(other, one))


def batches(sources, lines):
    found = []
    for source in sources:
        if source.alone:
            continue
        for batch in found:
            if (sum(s.lines for s in batch) + source.lines <= lines and batch[0].directives == source.directives
                    and not any(meet(s, source) for s in batch)):
                batch.append(source)
                break
        else:
            found.append([source])
    return [batch for batch in found if len(batch) > 1]


def main():
    targets = collections.defaultdict(list)
    for line in sys.stdin.read().split():
        target, path = line.split("|")
        targets[target].append(read(path))
    for target, sources in targets.items():
        for number, batch in enumerate(batches(sources, int(sys.argv[1]))):
            for source in batch:
                print(f"{target}|{number}|{source.path}")


if __name__ == "__main__":
    main()
