"""The jobs of CI systems: the steps of scripts/packaging/github and scripts/packaging/gitlab, run as they are with the installed SDK: ci_test.py SDK

Their first steps, which install packages, are run by bare_debian.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
ACTION = yaml.safe_load((ROOT / "scripts/packaging/github/action.yml").read_text())
JOB = yaml.safe_load((ROOT / "scripts/packaging/gitlab/musashim.yml").read_text())[".musashim"]
SDK = None
SOURCE = """
#include <cuda_runtime.h>
__global__ void twice(int* data) { data[threadIdx.x] *= 2; }
int main() {
  int *data, devices = 0;
  cudaGetDeviceCount(&devices);
  cudaMallocManaged(&data, 32 * sizeof(int));
  for (int i = 0; i < 32; ++i) data[i] = i;
  twice<<<1, 32>>>(data);
  return cudaDeviceSynchronize() == cudaSuccess && data[31] == 62 && devices == 3 ? 0 : 1;
}
"""
MAKEFILE = "twice: twice.cu\n\tnvcc -O2 $< -o $@ -lcudart\n"


def run(script, folder, **variables):
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("MUSASHIM_", "MUSA_", "CUDA_"))}
    environment.update(variables, PATH=f"{SDK}/bin:{os.environ['PATH']}", MUSASHIM_SESSION="none")
    return subprocess.run(["bash", "-eo", "pipefail", "-c", script], cwd=folder, env=environment, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def cases(report):
    return {case.get("name"): case.find("failure") is None for case in xml.parse(report).iter("testcase")}


class Jobs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "twice.cu").write_text(SOURCE)
        (self.folder / "Makefile").write_text(MAKEFILE)

    def check(self, done, reports):
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertTrue(all(cases(reports / "build.xml").values()))
        self.assertEqual(cases(reports / "test.xml"), {"./twice": True, "test -x twice": True})
        self.assertTrue((reports / "ported/twice.mu").exists())

    def github(self, **inputs):
        """The steps behind the first, as a runner does them."""
        given = {name: inputs.pop(name, row.get("default", "")) for name, row in ACTION["inputs"].items()}
        self.assertFalse(inputs)
        step = ACTION["runs"]["steps"][1]
        fill = lambda text: re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda name: given[name.group(1)], str(text))
        return run(step["run"], self.folder, **{key: fill(value) for key, value in step["env"].items()})

    def test_github(self):
        done = self.github(build="make", test="./twice\ntest -x twice", devices="3", conformance="device.limits",
                           reports="made")
        self.check(done, self.folder / "made")
        self.assertTrue(cases(self.folder / "made/conformance.xml"))

    def test_gitlab(self):
        variables = {key: str(value) for key, value in JOB["variables"].items()}
        variables.update(MUSASHIM_DEVICES="3", MUSASHIM_CI_BUILD="make", MUSASHIM_CI_TEST="./twice\ntest -x twice")
        self.check(run("\n".join(JOB["script"]), self.folder, **variables), self.folder / variables["MUSASHIM_CI_REPORTS"])
        self.assertIn("$MUSASHIM_CI_REPORTS", JOB["artifacts"]["reports"]["junit"])

    def test_a_failure_is_told(self):
        done = self.github(build="make", test="./twice\ntrue", devices="2")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(cases(self.folder / "musashim-reports/test.xml"), {"./twice": False, "true": True})
        done = self.github(build="make nothing")
        self.assertEqual(done.returncode, 1)
        self.assertIn(False, cases(self.folder / "musashim-reports/build.xml").values())

    def test_a_project_that_is_not_there(self):
        self.assertEqual(run("musashim-ci --project /nonexistent", self.folder).returncode, 2)
        self.assertIn("--conformance", run("musashim-ci --help", self.folder).stdout)

    def test_all_steps_are_shell(self):
        for script in [*(step["run"] for step in ACTION["runs"]["steps"]), *JOB["before_script"], *JOB["script"]]:
            self.assertEqual(subprocess.run(["bash", "-n", "-c", script]).returncode, 0, script)


if __name__ == "__main__":
    SDK = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
