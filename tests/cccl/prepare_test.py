"""shim/cccl/prepare.py: unpacking, patches and their failures, what musaport sees, what comes out."""
import argparse
import io
import pathlib
import sys
import tarfile
import tempfile
import unittest
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "shim" / "cccl"))
import prepare  # noqa: E402

# Stands in for musaport: renames one name, and gives .cuh files another suffix, as the real one does.
PORT = """#!{python}
import pathlib, sys
source, out = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[sys.argv.index("-o") + 1])
for path in sorted(source.rglob("*")):
    if path.is_file():
        target = out / path.relative_to(source)
        target = target.with_suffix(".muh") if target.suffix == ".cuh" else target
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(path.read_text().replace("cudaFree", "musaFree").replace("_OWN_", "_RENAMED_"))
print("ported")
"""

TREE = """
unpack: {usr/include/lib/: lib/}
move: {lib/cuda: lib/musa}
forward: {cuda/: lib/musa/, thrust/system/cuda/: lib/musa/}
protect: [_OWN_]
patches:
  - {file: lib/a.cuh, find: one, replace: two}
  - {file: 'lib/*', pattern: 'x(\\d)', replace: 'y\\1', times: 2}
  - {file: lib/a.cuh, from: "// begin", to: "// end"}
"""

FILES = {"lib/a.cuh": '#include "cuda/b.h"\n#include <lib/c.cuh>\n_OWN_MACRO one x1\n// begin\nlost\n// end\n',
         "lib/c.cuh": "cudaFree(x2);\n", "lib/cuda/b.h": "int b;\n", "lib/cuda/detail/c.h": "int c;\n",
         "lib/cuda/__own/d.h": "int d;\n"}


def deb(files):
    """A Debian package of files, as far as prepare.py reads it."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:xz") as archive:
        for name, text in files.items():
            member = tarfile.TarInfo("./usr/include/" + name)
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text.encode()))
    content = b"!<arch>\n"
    for name, body in (("debian-binary", b"2.0\n"), ("data.tar.xz", data.getvalue())):
        content += f"{name:16}{0:12}{0:6}{0:6}{100644:8}{len(body):10}`\n".encode() + body + b"\n" * (len(body) % 2)
    return content


class Prepare(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "trees").mkdir()
        (self.folder / "include" / "lib").mkdir(parents=True)
        (self.folder / "include" / "lib" / "ours.h").write_text("// ours\n")
        self.musaport = self.folder / "musaport"
        self.musaport.write_text(PORT.format(python=sys.executable))
        self.musaport.chmod(0o755)
        here, prepare.HERE = prepare.HERE, self.folder
        self.addCleanup(setattr, prepare, "HERE", here)

    def prepare(self, tree=TREE, files=None, package="lib.deb"):
        (self.folder / "trees" / "lib-1.yml").write_text(tree)
        path = self.folder / package
        if package.endswith(".deb"):
            path.write_bytes(deb(FILES if files is None else files))
        else:
            with zipfile.ZipFile(path, "w") as archive:
                for name, text in FILES.items():
                    archive.writestr("usr/include/" + name, text)
        arguments = argparse.Namespace(musaport=self.musaport, tree="lib-1", package=[path], out=str(self.folder / "out"))
        with tempfile.TemporaryDirectory() as work:
            prepare.prepare(arguments, pathlib.Path(work))
        return self.folder / "out"

    def test_a_tree(self):
        for package in ("lib.deb", "lib.whl"):
            out = self.prepare(package=package)
            self.assertEqual((out / "lib/a.cuh").read_text(), '#include "cuda/b.h"\n#include <lib/c.cuh>\n_OWN_MACRO two y1\n// end\n')
            self.assertEqual((out / "lib/c.cuh").read_text(), "musaFree(y2);\n")
            self.assertEqual((out / "lib/musa/b.h").read_text(), "int b;\n")
            self.assertIn("#include <lib/musa/b.h>\n\nnamespace cuda = musa;", (out / "cuda/b.h").read_text())
            self.assertIn("#include <lib/musa/detail/c.h>\n\nnamespace cuda = musa;", (out / "cuda/detail/c.h").read_text())
            self.assertIn("namespace thrust {", (out / "thrust/system/cuda/b.h").read_text())
            self.assertEqual((out / "thrust/system/cuda/detail/c.h").read_text(), "#include <lib/musa/detail/c.h>\n")
            self.assertFalse((out / "cuda/__own/d.h").exists())
            self.assertTrue((out / "lib/ours.h").exists())
            self.assertFalse(list(out.rglob("*.muh")) + list(out.rglob("*.cuh.h")))
            self.assertEqual((self.folder / "out.report.txt").read_text(), "ported\n")

    def test_a_copy_under_another_name(self):
        files = {**FILES, "lib/d.h": "#include <lib/c.cuh>\n#define LIB_MAX 1\nnamespace lib { int library = LIB_MAX; }\n"}
        tree = TREE + "copy_renamed:\n  - {from: lib, to: other/own, words: {'\\blib\\b': own_lib, LIB_: OWN_LIB_}}\n"
        out = self.prepare(tree=tree, files=files)
        self.assertEqual((out / "other/own/d.h").read_text(),
                         "#include <other/own/c.cuh>\n#define OWN_LIB_MAX 1\nnamespace own_lib { int library = OWN_LIB_MAX; }\n")
        self.assertEqual((out / "lib/d.h").read_text(), files["lib/d.h"])

    def fails(self, message, **what):
        with self.assertRaisesRegex(prepare.Wrong, message):
            self.prepare(**what)
        self.assertFalse((self.folder / "out").exists())

    def test_a_text_that_is_not_there(self):
        self.fails("lib/a.cuh: 0 times instead of 1: 'three'", tree=TREE.replace("find: one", "find: three"))
        self.fails("lib/a.cuh: 0 times", tree=TREE.replace("// end", "// no end"))
        self.fails("lib/\\*: 2 times instead of 3", tree=TREE.replace("times: 2", "times: 3"))
        self.fails("there is no lib/b.cuh", tree=TREE.replace("file: lib/a.cuh, find", "file: lib/b.cuh, find"))

    def test_packages_of_another_kind(self):
        self.fails("lib.deb holds nothing below usr/include/lib/", files={"other/a.h": "x"})
        (self.folder / "bad.deb").write_bytes(b"no archive")
        with self.assertRaisesRegex(prepare.Wrong, "bad.deb is no Debian package"):
            prepare.unpack(self.folder / "bad.deb", {"a/": "b/"}, self.folder)

    def test_a_port_that_fails(self):
        self.musaport.write_text("#!/bin/sh\necho why\nexit 2\n")
        self.fails("musaport: why")


if __name__ == "__main__":
    unittest.main()
