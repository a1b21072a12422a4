"""The SDK's list of licences names whatever its libraries and programs hold or load of others': SDK BUILD

What is loaded is read from the files; what is compiled in, from the build's lines of the linker.
"""
import os
import pathlib
import re
import subprocess
import sys
import unittest

SDK, BUILD = None, None
# What every program of the system has, whose licences have exceptions for that.
SYSTEM = re.compile(r"(libstdc\+\+|libm|libgcc_s|libc|libdl|librt|libpthread|ld-linux-[\w-]+)\.so\.\d+")
# Libraries of others among those that the build makes itself.
BUILT = {"libmusashim_fmt.a": "fmt", "libmusashim_ducc.a": "ducc", "libmusaport_python.a": "tree-sitter"}


def plain(name):
    return re.sub(r"[^a-z0-9]", "", name.lower())


def is_elf(path):
    return path.is_file() and path.read_bytes()[:4] == b"\x7fELF"


def called(path):
    """libx.so.1.0.0 and libx.so are libx."""
    return path.name.split(".so")[0]


def files(sdk):
    return [p for folder in ("lib", "lib/musashim", "bin") for p in sorted((sdk / folder).iterdir()) if is_elf(p) and not p.is_symlink()]


def needed(path):
    listed = subprocess.run(["readelf", "-d", path], capture_output=True, text=True, check=True).stdout
    return re.findall(r"\(NEEDED\).*\[(.*)\]", listed)


def rows(text):
    """[(names, what they are linked with)]"""
    cells = [line.split("|")[1:-1] for line in text.splitlines() if line.startswith("| `")]
    return [(re.findall(r"`([^`]+)`", first), second) for first, second, _ in cells]


def linked_with(table, name):
    """None when no row names the file."""
    found = [text for names, text in table for n in names if re.fullmatch(re.escape(n).replace(r"\*", ".*"), name)]
    return found[0] if found else None


def archives(ninja):
    """{file: the libraries that are linked into it}"""
    pattern = r"^build ([^\n:]*): C(?:XX)?_(?:SHARED_LIBRARY|MODULE_LIBRARY|EXECUTABLE)_LINKER__\S+ [^\n]*\n((?:  [^\n]*\n)+)"
    result = {}
    for target, body in re.findall(pattern, ninja, re.M):
        line = re.search(r"LINK_LIBRARIES = ([^\n]*)", body)
        result[os.path.basename(target.split()[0])] = [w for w in (line[1].split() if line else []) if w.endswith(".a")]
    return result


def compiled_in(paths, build):
    """What is of others among the libraries of a line."""
    for path in paths:
        base = os.path.basename(path)
        if base in BUILT:
            yield BUILT[base]
        elif os.path.isabs(path) and not path.startswith(str(build)):
            yield base.removeprefix("lib").removesuffix(".a")


class LicencesTest(unittest.TestCase):
    def setUp(self):
        self.table = rows((SDK / "share/doc/musashim/library_licences.md").read_text())
        self.assertTrue(self.table)

    def test_every_library_is_listed(self):
        missing = [called(p) for p in files(SDK) if p.parent.name == "lib" and linked_with(self.table, called(p)) is None]
        self.assertEqual(missing, [])

    def test_what_is_loaded_is_listed(self):
        ours = {p.name for p in (SDK / "lib").rglob("*.so*")}
        for path in files(SDK):
            for library in needed(path):
                if library not in ours and not SYSTEM.fullmatch(library):
                    with self.subTest(file=path.name, library=library):
                        self.assertIn(plain(library.removeprefix("lib").split(".so")[0]),
                                      plain(linked_with(self.table, called(path)) or ""))

    def test_what_is_compiled_in_is_listed(self):
        lines = archives((BUILD / "build.ninja").read_text())
        seen = 0
        for path in files(SDK):
            for library in compiled_in(lines.get(path.name, []), BUILD):
                seen += 1
                with self.subTest(file=path.name, library=library):
                    self.assertIn(plain(library), plain(linked_with(self.table, called(path)) or ""))
        self.assertGreater(seen, 20)  # the lines are read

    def test_other_ways_are_told(self):
        """The test's own eyes."""
        table = rows("| `libx`, `liby` | OpenBLAS, Boost.Context | BSD |\n| `*_perf` | nothing | |\n")
        self.assertIn("openblas", plain(linked_with(table, "liby")))
        self.assertIsNone(linked_with(table, "libz"))
        self.assertEqual(linked_with(table, "all_perf").strip(), "nothing")
        ninja = "build a/libx.so: CXX_SHARED_LIBRARY_LINKER__x_Release b.o\n  LINK_LIBRARIES = /usr/lib/libopenblas.a  /b/libmusashim_fmt.a  -lm\n"
        self.assertEqual(list(compiled_in(archives(ninja)["libx.so"], "/b")), ["openblas", "fmt"])


if __name__ == "__main__":
    SDK, BUILD = pathlib.Path(sys.argv.pop(1)).resolve(), pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
