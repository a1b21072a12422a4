"""Expands shim/include/device_functions.yml and writes what is made from it.

    device_functions.py source LIST OUT.mu    device code that takes each function's address by its exact type
    device_functions.py bounds LIST OUT.inc   name, bound: one row per function with documented accuracy
    device_functions.py count  LIST           how many functions each chapter has
"""
import itertools
import re
import sys

import yaml

BRACE = re.compile(r"\{([^{}]*)\}")


def expand(text):
    """Every text that the braces stand for. `{a|b}` follows the braces `{x,y}` of the same width before it."""
    braces = BRACE.findall(text)
    leaders = [b.split(",") for b in braces if "|" not in b]
    result = []
    for choice in itertools.product(*[range(len(b)) for b in leaders]):
        taken = iter(range(len(leaders)))
        by_width = {}

        def pick(match):
            body = match.group(1)
            if "|" in body:
                items = body.split("|")
                return items[by_width[len(items)]].strip()
            leader = next(taken)
            items = leaders[leader]
            by_width.setdefault(len(items), choice[leader])
            return items[choice[leader]].strip()

        result.append((BRACE.sub(pick, text), choice[0] if choice else 0))
    return result


def replace_words(text, words):
    """Whole words, and parts of names between underscores and digits (`__float2word_rn`)."""
    for word, replacement in words.items():
        pattern = r"word(?=2|_|\b|\()" if word == "word" else rf"\b{word}\b"
        text = re.sub(pattern, replacement, text)
    return text


def split(declaration):
    """(return type, name, parameter types)"""
    match = re.match(r"(.*?[\s&*])((?:operator\s*[^\s(]+)|\w+)\((.*)\)$", declaration)
    if not match:
        raise SystemExit(f"not a declaration: {declaration}")
    return match.group(1).strip(), match.group(2), match.group(3)


def functions(document):
    """(chapter, declaration, bound or None, status), in the list's order."""
    for chapter in document["chapters"]:
        for words in chapter.get("with", [{}]):
            for entry in chapter["functions"]:
                record = {"f": entry} if isinstance(entry, str) else entry
                bound = record.get("ulp")
                for text, first in expand(record["f"]):
                    one = bound[first] if isinstance(bound, list) else bound
                    yield chapter["name"], replace_words(text, words), one, record.get("status", "supported")


def write_source(document, out):
    for header in sorted({h for c in document["chapters"] for h in c.get("header", [])}):
        out.write(f"#include <{header}>\n")
    out.write("/* Written by device_functions.py. */\n__device__ const void* sink[2];\n")
    seen = set()
    for number, (_, declaration, _, status) in enumerate(functions(document)):
        if status == "not_supported" or declaration in seen:
            continue
        seen.add(declaration)
        result, name, parameters = split(declaration)
        if re.fullmatch(r"operator[=!<>]=?=?", name):  # may be a friend that only its operands find
            types = parameters.split(", ")
            out.write(f"__device__ {result} check{number}({types[0]} a, {types[1]} b) {{ return a {name[8:]} b; }}\n")
            continue
        out.write(f"__device__ void check{number}() {{\n  {result} (*function)({parameters}) = {name};\n"
                  f"  sink[0] = (const void*)function;\n}}\n")


def write_bounds(document, out):
    for _, declaration, bound, _ in functions(document):
        if bound is not None:
            out.write(f'{{"{split(declaration)[1]}", {bound}}},\n')


def write_count(document, out):
    counts = {}
    for chapter, declaration, _, status in functions(document):
        counts.setdefault(chapter, {}).setdefault(status, set()).add(declaration)
    for chapter, by_status in counts.items():
        out.write(f"{chapter}: " + ", ".join(f"{len(v)} {k}" for k, v in by_status.items()) + "\n")
    out.write(f"all: {sum(len(v) for c in counts.values() for v in c.values())}\n")


def main():
    command, path = sys.argv[1:3]
    with open(path, encoding="utf-8") as file:
        document = yaml.safe_load(file)
    write = {"source": write_source, "bounds": write_bounds, "count": write_count}[command]
    if len(sys.argv) > 3:
        with open(sys.argv[3], "w", encoding="utf-8") as out:
            write(document, out)
    else:
        write(document, sys.stdout)


main()
