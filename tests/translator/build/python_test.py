"""Ports Python sources and compares: python_test.py MUSAPORT"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

import python_cases as cases

MUSAPORT = None


def port(files):
    """{name: text} through musaport, as one project."""
    with tempfile.TemporaryDirectory(prefix='musaport-') as folder:
        root = pathlib.Path(folder)
        for name, text in files.items():
            (root / 'in').mkdir(exist_ok=True)
            (root / 'in' / name).write_bytes(text.encode())
        subprocess.run([MUSAPORT, root / 'in', '-o', root / 'out', '--quiet'], check=True, timeout=60)
        return {name: (root / 'out' / name).read_bytes().decode() for name in files}


class PythonTest(unittest.TestCase):
    def compare(self, pairs):
        files = {f'f{i:03}.py': before for i, (before, _) in enumerate(pairs)}
        ported = port(files)
        for i, (before, after) in enumerate(pairs):
            with self.subTest(before):
                self.assertEqual(ported[f'f{i:03}.py'], after)

    def test_ported(self):
        moved = [(cases.T + a + '\n', (cases.M if 'os.' not in a and 'shutil' not in a and 'subprocess' not in a or 'device' in a else cases.T) + b + '\n')
                 for a, b in cases.PORTED]
        self.compare(moved)

    def test_files(self):
        for before, after in cases.FILES:
            with self.subTest(before):
                self.assertEqual(port({'x.py': before})['x.py'], after)

    def test_false_friends(self):
        self.assertGreaterEqual(len(cases.FRIENDS), 45)
        self.assertGreaterEqual(len(cases.PORTED) + len(cases.FILES), 60)
        self.compare([(cases.T + text + '\n', cases.T + text + '\n') for text in cases.FRIENDS])

    def test_the_document_that_the_project_started_from(self):
        """Its script for MUSA, written back to CUDA by hand, becomes itself."""
        document = pathlib.Path(__file__).resolve().parents[4] / 'shared/seeds/000_s4000_p2p_allreduce.txt'
        if not document.exists():
            self.skipTest(f'there is no {document.name}')
        text = document.read_text()
        script = text[text.index('import os\nimport time\n'):text.index('MUSA编程')]
        cuda = script.replace('import torch_musa\n', '').replace('musa', 'cuda').replace('mccl', 'nccl')
        self.assertEqual(port({'allreduce.py': cuda})['allreduce.py'], script)

    def said_of(self, files):
        with tempfile.TemporaryDirectory(prefix='musaport-') as folder:
            root = pathlib.Path(folder)
            for name, text in files.items():
                (root / 'in' / name).parent.mkdir(parents=True, exist_ok=True)
                (root / 'in' / name).write_text(text)
            return subprocess.run([MUSAPORT, root / 'in', '-o', root / 'out'], capture_output=True, text=True, timeout=60).stderr

    def test_packages_of_the_projects_own(self):
        said = self.said_of({'apex/__init__.py': '', 'use.py': 'import torch\nfrom apex.layers import Norm\nimport cupy\n'})
        self.assertIn('cupy is left as it is', said)
        self.assertNotIn('apex', said)

    def test_the_compilers_version_is_read(self):
        call = 'out = subprocess.check_output([home + "/bin/nvcc", "-V"])\n'
        self.assertIn("setup.py:3:31: note:", self.said_of({'setup.py': 'import subprocess\nimport torch\n' + call + 'version = out.split("release")[1]\n'}))
        self.assertNotIn('note:', self.said_of({'setup.py': 'import subprocess\nimport torch\n' + call}))

    def test_a_second_run_changes_nothing(self):
        files = {f'f{i:03}.py': cases.T + before + '\n' for i, (before, _) in enumerate(cases.PORTED)}
        once = port(files)
        self.assertEqual(port(once), once)


if __name__ == '__main__':
    MUSAPORT = sys.argv.pop(1)
    unittest.main()
