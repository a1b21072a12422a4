"""The tree keeps its promises (layout.py), and the checks see when one is broken."""
import tempfile
import unittest
from pathlib import Path

import layout

ROOT = Path(__file__).resolve().parents[2]


class TheTree(unittest.TestCase):
    def test_keeps_its_promises(self):
        complaints = layout.check(ROOT)
        self.assertFalse(complaints, "\n" + "\n".join(complaints))


class BrokenTrees(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.write("README.md", "| `backends/` | x |\n| `shim/` | x |\n| `shim/musa/` | x |\n| `shim/mccl/` | x |\n"
                                "| `shim/include/` | x |\n| `translator/` | x |\n")

    def write(self, path, text):
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")

    def complaint(self, *words):
        complaints = layout.check(self.root)
        self.assertEqual(len(complaints), 1, complaints)
        for word in words:
            self.assertIn(word, complaints[0])

    def test_whole(self):
        self.write("backends/a.h", "#include <vector>\n")
        self.write("shim/musa/b.cpp", '#include "support/a.h"\n#include "musa/c.h"\n')
        self.write("shim/musa/c.h", "")
        self.assertEqual(layout.check(self.root), [])

    def test_the_ground_floor_looks_up(self):
        self.write("shim/musa/b.h", "")
        self.write("backends/a.h", '#include "musa/b.h"\n')
        self.complaint("backends/a.h", "shim/musa/b.h")

    def test_the_ground_floor_uses_the_sdk(self):
        self.write("shim/include/musa.h", "")
        self.write("translator/a.cpp", "#include <musa.h>\n")
        self.complaint("translator/a.cpp", "shim/include/musa.h")

    def test_a_layer_is_passed_over(self):
        self.write("shim/musa/b.h", "")
        self.write("shim/mccl/a.cpp", '#include "musa/b.h"\n')
        self.complaint("shim/mccl/a.cpp", "shim/musa/b.h")

    def test_a_loop(self):
        self.write("backends/a.h", '#include "b.h"\n')
        self.write("backends/b.h", '#include "backends/a.h"\n')
        self.complaint("backends/a.h -> backends/b.h -> backends/a.h")

    def test_a_full_folder(self):
        for number in range(layout.MOST_FILES + 1):
            self.write(f"backends/f{number}.cpp", "")
        self.complaint("backends: 26")

    def test_a_long_file(self):
        self.write("backends/a.cpp", "\n" * (layout.MOST_LINES + 1))
        self.complaint("backends/a.cpp: 401")

    def test_a_long_script_without_an_ending(self):
        self.write("backends/tool", "#!/bin/sh\n" * (layout.MOST_LINES + 1))
        self.complaint("backends/tool: 401")

    def test_a_folder_that_nobody_explains(self):
        self.write("backends/cpu/a.cpp", "")
        self.complaint("backends/cpu:", "README.md")


if __name__ == "__main__":
    unittest.main()
