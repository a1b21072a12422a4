"""Ranges of a program's own, as the SDK's headers make them. ranges_test.py SDK PROGRAMS"""
import ctypes
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SDK = PROGRAMS = FOLDER = None


class RangesTest(unittest.TestCase):
    def build(self, source, compiler, *options):
        program = FOLDER / pathlib.Path(source).stem
        subprocess.run([str(word) for word in (*compiler, PROGRAMS / source, "-o", program, *options)], check=True)
        return program

    def build_c(self, source, *options):
        return self.build(source, ["gcc", "-std=c99", "-Wall", "-Wextra", "-Werror", f"-I{SDK}/cuda/include"],
                          f"-L{SDK}/cuda/lib64", "-lcudart", f"-Wl,-rpath,{SDK}/cuda/lib64", *options)

    def build_cpp(self, source):
        return self.build(source, ["g++", "-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror", f"-I{SDK}/include"],
                          f"-L{SDK}/lib", "-lmusart", "-pthread", f"-Wl,-rpath,{SDK}/lib")

    def run_program(self, program, trace):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("MUSASHIM_TRACE")}
        environment |= {"MUSASHIM_SESSION": "none", **({"MUSASHIM_TRACE": "1"} if trace else {})}
        result = subprocess.run([program], env=environment, capture_output=True, text=True, timeout=60)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result

    def lines(self, result):
        """The trace's lines about ranges, without times."""
        found = [line[7:] for line in result.stderr.splitlines() if line.startswith("[mttx]")]
        return [re.sub(r" \([0-9.]+ [um]s\)$", " (time)", line) for line in found]

    def test_ranges_are_traced(self):
        result = self.run_program(self.build_c("ranges.c"), trace=True)
        self.assertEqual(result.stdout.split(), ["0", "1", "1", "0", "0", "0", "-1"])
        lines = self.lines(result)
        self.assertEqual(lines[:9], ['push "outer" -> level 0', 'push "inner" -> level 1', 'pop "inner" -> level 1 (time)',
                                     'push "café" of library, category 3, payload 1.5 -> level 0',
                                     'pop "outer" -> level 0 (time)', 'pop "café" -> level 0 (time)',
                                     'start "anywhere" -> range 1', 'mark -> "café", category 3, payload 1.5',
                                     'end "anywhere" -> range 1 (time)'])
        self.assertRegex(lines[9], r'^name stream 0x[0-9a-f]+ -> "copies"$')
        self.assertEqual(lines[10:], ['name device 0x0 -> "first"', "pop -> no range"])
        # Among the API's calls.
        whole = result.stderr
        self.assertLess(whole.index('push "inner"'), whole.index("musaStreamSynchronize"))
        self.assertLess(whole.index("musaStreamSynchronize"), whole.index('pop "inner"'))

    def test_nobody_looks(self):
        result = self.run_program(self.build_c("ranges.c"), trace=False)
        self.assertEqual(set(result.stdout.split()), {"-2"})
        self.assertEqual(result.stderr, "")

    def test_objects(self):
        lines = self.lines(self.run_program(self.build_cpp("objects.cpp"), trace=True))
        self.assertEqual(lines, ['start "crossing", category 2 -> range 1', 'push "work" -> level 0',
                                 'push "step" of library, payload 7 -> level 0', 'pop "step" -> level 0 (time)',
                                 'pop "work" -> level 0 (time)', 'end "crossing" -> range 1 (time)', 'mark -> "end"'])

    def test_costs_nothing_when_nobody_looks(self):
        nanoseconds = float(self.run_program(self.build_cpp("cost.cpp"), trace=False).stdout)
        self.assertLess(nanoseconds, 10)

    def test_beside_kernels(self):
        program = self.build("kernel.cu", [SDK / "cuda/bin/nvcc"])
        self.assertEqual(self.run_program(program, trace=False).stderr, "")
        lines = self.lines(self.run_program(program, trace=True))
        self.assertEqual([line.split(" ->")[0] for line in lines], ['push "all"', 'push "launch"', 'pop "launch"', 'pop "all"'])

    def test_second_versions_library(self):
        program = self.build_c("ranges.c", "-lnvToolsExt")
        self.assertEqual(set(self.run_program(program, trace=False).stdout.split()), {"-2"})
        library = ctypes.CDLL(str(SDK / "cuda/lib64/libnvToolsExt.so.1"))
        self.assertEqual(library.nvtxRangePushA(b"x"), -2)
        self.assertEqual(library.mttxRangePop(), -2)


if __name__ == "__main__":
    SDK, PROGRAMS = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
    FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="mttx-"))
    try:
        program = unittest.main(argv=sys.argv[:1] + sys.argv[3:], exit=False)
    finally:
        shutil.rmtree(FOLDER, True)
    sys.exit(not program.result.wasSuccessful())
