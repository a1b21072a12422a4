import subprocess
import sys
import unittest
from pathlib import Path

RUN = Path(__file__).resolve().parents[2] / "conformance" / "run"


def run(*arguments):
    return subprocess.run([sys.executable, RUN, *arguments], capture_output=True, text=True)


class Options(unittest.TestCase):
    def testAlsoCasesWithoutAnArchitectureIsAnError(self):
        refused = run("--list", "--also-cases", "warp.*")
        self.assertEqual(refused.returncode, 2)
        self.assertIn("--also", refused.stderr)

    def testAlsoCasesWithAnArchitecture(self):
        self.assertEqual(run("--list", "--cases", "warp.*", "--also", "mp_22", "--also-cases", "warp.*").returncode, 0)


if __name__ == "__main__":
    unittest.main()
