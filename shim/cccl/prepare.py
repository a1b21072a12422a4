#!/usr/bin/env python3
"""Makes the SDK's copy of a pinned tree of Thrust and CUB: unpacks the packages, patches, ports with musaport.

    prepare.py --musaport PROGRAM --tree thrust-1.17.2 --package FILE... --out FOLDER [--keep FOLDER]

The tree's patches lie beside this script. A patch whose text is not there is an error that names it: the
package is another one, or the patch is wrong. Nothing of what is unpacked is kept in the repository.
"""
import argparse
import fnmatch
import io
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile

import yaml

HERE = pathlib.Path(__file__).resolve().parent
SOURCES = (".h", ".cuh", ".inl", ".hpp", "")


class Wrong(Exception):
    pass


def members_of_deb(path):
    """The tar archive inside of a Debian package, which is an ar archive."""
    data = path.read_bytes()
    if data[:8] != b"!<arch>\n":
        raise Wrong(f"{path} is no Debian package")
    at = 8
    while at + 60 <= len(data):
        name = data[at:at + 16].decode().strip().rstrip("/")
        size = int(data[at + 48:at + 58])
        if name.startswith("data.tar"):
            return io.BytesIO(data[at + 60:at + 60 + size])
        at += 60 + size + size % 2
    raise Wrong(f"{path} holds no data.tar")


def unpack(package, roots, out):
    """Headers below each of `roots` (folder in the package -> folder of the tree)."""
    found = 0

    def take(name, content):
        nonlocal found
        for theirs, ours in roots.items():
            if name.startswith(theirs):
                target = out / ours / name[len(theirs):]
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content)
                found += 1

    if package.suffix == ".deb":
        with tarfile.open(fileobj=members_of_deb(package)) as archive:
            for member in archive:
                if member.isfile():
                    take(member.name.removeprefix("./"), archive.extractfile(member).read())
    else:
        with zipfile.ZipFile(package) as archive:
            for name in archive.namelist():
                if not name.endswith("/"):
                    take(name, archive.read(name))
    if not found:
        raise Wrong(f"{package.name} holds nothing below {', '.join(roots)}")


def files_of(folder, glob):
    names = sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())
    return [folder / n for n in names if fnmatch.fnmatchcase(n, glob)]


def apply(patch, folder):
    """One patch: its text or pattern is there as often as it says, or that is an error."""
    what = patch.get("find", patch.get("pattern", patch.get("from")))
    files = files_of(folder, patch["file"])
    if not files:
        raise Wrong(f"there is no {patch['file']}")
    count = 0
    for path in files:
        text = path.read_text(encoding="utf-8", errors="surrogateescape")
        replacement = patch.get("replace", "")
        if "find" in patch:
            hits = text.count(patch["find"])
            text = text.replace(patch["find"], replacement)
        elif "from" in patch:  # all from one text up to another, which stays
            hits = 0
            begin = text.find(patch["from"])
            end = text.find(patch["to"], begin + 1) if begin >= 0 else -1
            if end >= 0:
                hits, text = 1, text[:begin] + replacement + text[end:]
        else:
            text, hits = re.subn(patch["pattern"], replacement, text, flags=re.M)
        if hits:
            path.write_text(text, encoding="utf-8", errors="surrogateescape")
        count += hits
    wanted = patch.get("times", 1)
    if count == 0 or (wanted != "any" and count != wanted):
        raise Wrong(f"{patch['file']}: {count} times instead of {wanted}: {what.strip()[:200]!r}")


# musaport gives .cuh another suffix, which the vendor does not; so it does not see it.
HIDE = re.compile(r'(#\s*include\s*[<"][^>"\n]*)\.cuh([>"])')
SHOW = re.compile(r'(#\s*include\s*[<"][^>"\n]*)\.cuh\.h([>"])')


def rename(folder, pattern, replacement, suffix, to):
    for path in files_of(folder, "*"):
        text = path.read_text(encoding="utf-8", errors="surrogateescape")
        changed = pattern.sub(replacement, text)
        if changed != text:
            path.write_text(changed, encoding="utf-8", errors="surrogateescape")
        if suffix and path.name.endswith(suffix):
            path.rename(path.with_name(path.name.removesuffix(suffix) + to))


def protect(folder, beginnings, back=False):
    """Names of the tree's own that musaport would take for CUDA's get another beginning, and theirs back."""
    for number, beginning in enumerate(beginnings):
        pair = (beginning, f"_TheTreesOwn{number}_")
        theirs, hidden = reversed(pair) if back else pair
        rename(folder, re.compile(rf"\b{theirs}"), hidden, "", "")


def port(musaport, source, out):
    rename(source, HIDE, r"\1.cuh.h\2", ".cuh", ".cuh.h")
    report = out.with_name(out.name + ".report.txt")
    command = [str(musaport), str(source), "-o", str(out), "--no-record", "--list-unported", "--comments=keep"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    report.write_text(done.stdout)
    if done.returncode != 0:
        raise Wrong(f"musaport: {done.stdout[-2000:]}")
    rename(out, SHOW, r"\1.cuh\2", ".cuh.h", ".cuh")
    return report


# What the namespaces are called by CUDA's names.
ALIASES = {"thrust": "namespace thrust {\nnamespace system {\nnamespace cuda = musa;\n}\nnamespace cuda = musa;\n}\n",
           "cuda": "namespace cuda = musa;\n"}
ALIASED = {"cuda/"}  # in its subfolders as well


def is_private(path):
    """What only the library's own headers include."""
    return any(part.startswith("__") or part == "libcxx" for part in path.parts)


def forward(out, forwards):
    """Headers by CUDA's paths, for sources that were not ported. Those of subfolders need not declare the namespace."""
    for theirs, ours in forwards.items():
        for path in sorted((out / ours).rglob("*")):
            below = path.relative_to(out / ours)
            if path.is_dir() or path.name == "LICENCE" or is_private(below.parent):
                continue
            target = out / theirs / below
            target.parent.mkdir(parents=True, exist_ok=True)
            text = f"#include <{ours}{below}>\n"
            if len(below.parts) == 1 or theirs in ALIASED:
                text = f"#pragma once\n{text}\n{ALIASES[theirs.split('/')[0]]}"
            target.write_text(text)


def copy_renamed(out, copies):
    """A folder once more, whose words are others': one library has it for itself, beside another version of the same."""
    for entry in copies:
        include = re.compile(r"^\s*#\s*include\b")
        for path in files_of(out, f"{entry['from']}/*"):
            lines = path.read_text(encoding="utf-8", errors="surrogateescape").split("\n")
            for number, line in enumerate(lines):
                if include.match(line):
                    lines[number] = line.replace(f"<{entry['from']}/", f"<{entry['to']}/")
                    continue
                for pattern, word in entry["words"].items():
                    lines[number] = re.sub(pattern, word, lines[number])
            target = out / entry["to"] / path.relative_to(out / entry["from"])
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text("\n".join(lines), encoding="utf-8", errors="surrogateescape")


def prepare(arguments, folder):
    tree = yaml.safe_load((HERE / "trees" / f"{arguments.tree}.yml").read_text())
    source, out = folder / "source", folder / "ported"
    for package in arguments.package:
        unpack(pathlib.Path(package), tree["unpack"], source)
    for pattern in tree.get("leave_out", []):
        for path in files_of(source, pattern):
            path.unlink()
    for patch in tree["patches"]:
        apply(patch, source)
    for theirs, ours in tree.get("move", {}).items():
        (source / theirs).rename(source / ours)
    protect(source, tree.get("protect", []))
    report = port(arguments.musaport, source, out)
    protect(out, tree.get("protect", []), back=True)
    for patch in tree.get("after_port", []):
        apply(patch, out)
    forward(out, tree.get("forward", {}))
    shutil.copytree(HERE / "include", out, dirs_exist_ok=True)
    copy_renamed(out, tree.get("copy_renamed", []))
    final = pathlib.Path(arguments.out)
    shutil.rmtree(final, ignore_errors=True)
    final.parent.mkdir(parents=True, exist_ok=True)
    shutil.copytree(out, final)
    shutil.copy(report, final.with_name(final.name + ".report.txt"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--musaport", required=True)
    parser.add_argument("--tree", required=True)
    parser.add_argument("--package", action="append", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--keep", help="work in this folder and keep it")
    arguments = parser.parse_args()
    try:
        if arguments.keep:
            folder = pathlib.Path(arguments.keep)
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            prepare(arguments, folder)
        else:
            with tempfile.TemporaryDirectory() as folder:
                prepare(arguments, pathlib.Path(folder))
    except Wrong as error:
        sys.exit(f"error: {arguments.tree}: {error}")


if __name__ == "__main__":
    main()
