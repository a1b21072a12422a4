"""The SDK's shared libraries against those of the last release: ABI_CHECK SDK [--release]

A library is there by its soname, and has each function and variable that it had. What comes new is free. `symbols/` holds a file for each
library of the last release, made by nm; --release writes them anew, when a release is made.
"""
import pathlib
import re
import subprocess
import sys
import unittest

SYMBOLS = pathlib.Path(__file__).resolve().parent / "symbols"
SDK = None
FOREIGN = re.compile(r"[TD] _Z[A-Z]*?N?K?(St|3fmt|9__gnu_cxx)")


def libraries(sdk):
    """{soname: path} of the libraries that programs link with; plugins are loaded."""
    found = {}
    for path in sorted((sdk / "lib").glob("lib*.so")):
        if path.name.startswith("libmccl-net-"):
            continue
        dynamic = subprocess.run(["readelf", "-d", path], capture_output=True, text=True, check=True).stdout
        soname = re.search(r"\(SONAME\).*\[(.*)\]", dynamic)
        found[soname.group(1) if soname else path.name] = path
    return found


def symbols(path):
    """Names that a library defines, with the kind: T function, D variable; weak ones are no other kind."""
    listed = subprocess.run(["nm", "-D", "--defined-only", "--format=posix", path], capture_output=True, text=True, check=True).stdout
    kinds = {"T": "T", "W": "T", "i": "T", "D": "D", "B": "D", "R": "D", "V": "D"}
    rows = (line.split() for line in listed.splitlines())
    return {f"{kinds[row[1]]} {row[0].split('@')[0]}" for row in rows if row[1] in kinds}


def lost(before, now):
    """What a library had and has no more: of its own, not what a template of the C++ library or fmt's came to."""
    return sorted(name for name in set(before) - set(now) if not FOREIGN.match(name))


def release(sdk):
    SYMBOLS.mkdir(exist_ok=True)
    for old in SYMBOLS.glob("*.txt"):
        old.unlink()
    for soname, path in libraries(sdk).items():
        (SYMBOLS / f"{soname}.txt").write_text("\n".join(sorted(symbols(path))) + "\n")
    print(f"{len(list(SYMBOLS.glob('*.txt')))} libraries")


def asked(names):
    """Libraries by the names that programs of the last release ask for: files, which a link to a later one may be."""
    return {name: SDK / "lib" / name for name in names if (SDK / "lib" / name).exists()}


class Abi(unittest.TestCase):
    def test_each_library_of_the_last_release_is_there_by_its_name(self):
        self.assertEqual(lost((path.stem for path in SYMBOLS.glob("*.txt")), asked(path.stem for path in SYMBOLS.glob("*.txt"))), [])

    def test_nothing_is_lost(self):
        now = asked(path.stem for path in SYMBOLS.glob("*.txt"))
        for file in SYMBOLS.glob("*.txt"):
            with self.subTest(file.stem):
                self.assertEqual(lost(file.read_text().splitlines(), symbols(now[file.stem])), [])

    def test_each_library_has_a_version_in_its_name(self):
        for soname, path in libraries(SDK).items():
            if soname == "libmusadevrt.so":  # device code's own: images tell the version of its interface themselves
                continue
            with self.subTest(soname):
                self.assertRegex(soname, r"^lib\w+\.so\.\d+$")
                self.assertRegex(path.resolve().name, rf"^{re.escape(soname[:soname.index('.so')])}\.so\.\d+\.\d+\.\d+$")

    def test_no_library_wants_static_room_for_others_variables(self):
        """Thread-local variables of the C++ library have none where that came by dlopen and was used before us, as in PyTorch."""
        for soname, path in libraries(SDK).items():
            with self.subTest(soname):
                listed = subprocess.run(["readelf", "-rW", path], capture_output=True, text=True, check=True).stdout
                self.assertEqual(re.findall(r" R_X86_64_TPOFF64 .* (\S+@\S+)", listed), [])

    def test_a_loss_is_seen(self):
        self.assertEqual(lost(["T a", "T b", "D c"], ["T a", "T c"]), ["D c", "T b"])
        self.assertEqual(lost(["T _ZNSt6vectorIiE", "T _ZZNSt3mapIiE", "T _ZSt4swapIiE", "D _ZN8musashim3St1E"], []), ["D _ZN8musashim3St1E"])


if __name__ == "__main__":
    if sys.argv[1:2] in ([], ["-h"], ["--help"]):
        sys.exit(__doc__)
    SDK = pathlib.Path(sys.argv.pop(1)).resolve()
    if "--release" in sys.argv:
        release(SDK)
    else:
        unittest.main()
