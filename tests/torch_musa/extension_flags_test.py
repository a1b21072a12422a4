"""Which flags of a setup.py reach which compiler: extension_flags_test.py

Without PyTorch: a stand-in for torch.utils.cpp_extension does what PyTorch documents of BuildExtension, and programs that
note their arguments stand for the compilers."""
import importlib.util
import os
import pathlib
import shlex
import shutil
import stat
import sys
import tempfile
import types
import unittest
import unittest.mock

try:
    from setuptools import Distribution, Extension
    from setuptools.command.build_ext import build_ext
except ImportError:
    print("setuptools is not installed")
    sys.exit(77)

MODULE = pathlib.Path(__file__).resolve().parents[2] / "shim/torch_musa/torch_musa/utils/musa_extension.py"
NOTING = """#!/bin/sh
echo "$(basename "$0") $*" >> "$NOTES"
while [ $# -gt 0 ]; do
  if [ "$1" = -o ]; then : > "$2"; fi
  shift
done
"""


class StandIn(build_ext):
    """Chooses among the flags of a dict by whether a file is CUDA's, and adds some to all of them, as PyTorch's does."""

    def __init__(self, *arguments, use_ninja=True, **more):
        super().__init__(*arguments, **more)
        assert not use_ninja

    def build_extensions(self):
        for extension in self.extensions:
            if isinstance(extension.extra_compile_args, dict):
                for key in ("cxx", "nvcc", "sycl"):
                    extension.extra_compile_args.setdefault(key, [])
                for flags in extension.extra_compile_args.values():
                    flags.append("-DADDED_BY_TORCH")
            if any(source.endswith(".cu") for source in extension.sources):
                sys.modules["torch.utils"].cpp_extension._check_cuda_version(self.compiler.compiler_cxx, None)
        original = self.compiler._compile

        def wrapped(target, source, suffix, cc_args, extra, pp_opts):
            is_cuda = sys.modules["torch.utils"].cpp_extension._is_cuda_file(source)
            assert not (is_cuda and source.startswith("ours")), "nvcc is asked for"
            chosen = extra["nvcc" if is_cuda else "cxx"] if isinstance(extra, dict) else extra
            original(target, source, suffix, cc_args, list(chosen) + ["-std=c++17"], pp_opts)

        self.compiler._compile = wrapped
        super().build_extensions()


def no_nvcc(*_):
    raise AssertionError("the version of nvcc is asked for")


class ExtensionFlagsTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="extension-flags-"))
        self.addCleanup(shutil.rmtree, self.folder, True)
        (self.folder / "bin").mkdir()
        for name in ("mcc", "cxx", "link"):
            program = self.folder / "bin" / name
            program.write_text(NOTING)
            program.chmod(program.stat().st_mode | stat.S_IXUSR)
        compiler = str(self.folder / "bin/cxx")
        changed = {"MUSA_HOME": str(self.folder), "NOTES": str(self.folder / "notes"), "CC": compiler, "CXX": compiler,
                   "LDSHARED": str(self.folder / "bin/link"), "TORCH_MUSA_ARCH_LIST": ""}
        for name, value in changed.items():
            before = os.environ.get(name)
            self.addCleanup(lambda name=name, before=before: os.environ.pop(name) if before is None else os.environ.update({name: before}))
            os.environ[name] = value
        here = os.getcwd()
        self.addCleanup(os.chdir, here)
        os.chdir(self.folder)
        self.extensions = self.loaded()

    def loaded(self):
        cpp_extension = types.SimpleNamespace(BuildExtension=StandIn, CppExtension=Extension, include_paths=lambda: [],
                                              library_paths=lambda: [], _is_cuda_file=lambda path: path.endswith(".cu"),
                                              _check_cuda_version=no_nvcc)
        utils, torch = types.ModuleType("torch.utils"), types.ModuleType("torch")
        utils.cpp_extension, torch.utils = cpp_extension, utils
        stand_in = unittest.mock.patch.dict(sys.modules, {"torch": torch, "torch.utils": utils})
        stand_in.start()
        self.addCleanup(stand_in.stop)  # PyTorch, if it is loaded, cannot be loaded again
        spec = importlib.util.spec_from_file_location("musa_extension", MODULE)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    def build(self, *extensions, parallel=None):
        for extension in extensions:
            for source in extension.sources:
                (self.folder / source).parent.mkdir(exist_ok=True)
                (self.folder / source).write_text("")
        command = self.extensions.BuildExtension(Distribution({"name": "flags", "ext_modules": list(extensions)}))
        command.parallel = parallel
        command.force = True
        command.ensure_finalized()
        command.run()
        return [shlex.split(line) for line in (self.folder / "notes").read_text().splitlines()]

    def of(self, notes, program, source):
        found = [words for words in notes if words[0] == program and source in words]
        self.assertEqual(len(found), 1, notes)
        return found[0]

    def test_cuda_files_that_another_package_has_made_musas(self):
        """torchada keeps the endings of what it ports, and has `_is_musa_file` say whose they are."""
        self.extensions._is_musa_file = lambda path: path.endswith(".cu")
        before = sys.modules["torch.utils"].cpp_extension._is_cuda_file
        command = self.extensions.BuildExtension
        original = command.build_extensions

        def with_ending(one):
            one.compiler.src_extensions += [".cu"]
            original(one)

        command.build_extensions = with_ending
        notes = self.build(self.extensions.MUSAExtension("a", ["ours.cu"], extra_compile_args={"cxx": ["-DC"], "nvcc": ["-DN"]}))
        words = self.of(notes, "mcc", "ours.cu")
        self.assertIn("-DN", words)
        self.assertNotIn("-DC", words)
        self.assertIs(sys.modules["torch.utils"].cpp_extension._is_cuda_file, before)

    def test_the_sdks_headers_are_not_among_the_projects_folders(self):
        for given in ({"cxx": ["-DC"]}, ["-DC"], None):
            extension = self.extensions.MUSAExtension("a", ["a.cpp"], extra_compile_args=given)
            self.assertNotIn(str(self.folder / "include"), extension.include_dirs)
            words = self.of(self.build(extension), "cxx", "a.cpp")
            self.assertIn(f"-isystem{self.folder / 'include'}", words)
            (self.folder / "notes").unlink()

    def test_each_compiler_gets_its_own(self):
        for key in ("mcc", "nvcc"):
            with self.subTest(key):
                (self.folder / "notes").write_text("")
                notes = self.build(self.extensions.MUSAExtension("flags", ["a.mu", "b.cpp"], extra_compile_args={"cxx": ["-DFROM_CXX"], key: ["-DFROM_MCC", "-Isome"]}))
                kernels, host = self.of(notes, "mcc", "a.mu"), self.of(notes, "cxx", "b.cpp")
                self.assertIn("-DFROM_MCC", kernels)
                self.assertIn("-Isome", kernels)
                self.assertIn("-DTORCH_EXTENSION_NAME=flags", kernels)
                self.assertNotIn("-DFROM_CXX", kernels)
                self.assertIn("-DFROM_CXX", host)
                self.assertNotIn("-DFROM_MCC", host)

    def test_a_list_is_for_both(self):
        notes = self.build(self.extensions.MUSAExtension("flags", ["a.mu", "b.cpp"], extra_compile_args=["-DBOTH"]))
        self.assertIn("-DBOTH", self.of(notes, "mcc", "a.mu"))
        self.assertIn("-DBOTH", self.of(notes, "cxx", "b.cpp"))

    def test_none_are_none(self):
        notes = self.build(self.extensions.MUSAExtension("flags", ["a.mu"], extra_compile_args={"cxx": ["-DFROM_CXX"]}))
        self.assertNotIn("-DFROM_CXX", self.of(notes, "mcc", "a.mu"))

    def test_extensions_with_files_of_the_same_name(self):
        for parallel in (None, 2):
            with self.subTest(parallel=parallel):
                (self.folder / "notes").write_text("")
                notes = self.build(*(self.extensions.MUSAExtension(f"package.{name}", [f"{name}/a.mu"], extra_compile_args={"mcc": [f"-DFOR_{name}"]})
                                     for name in ("one", "two")), parallel=parallel)
                for name, other in (("one", "two"), ("two", "one")):
                    words = self.of(notes, "mcc", f"{name}/a.mu")
                    self.assertIn(f"-DFOR_{name}", words)
                    self.assertNotIn(f"-DFOR_{other}", words)
                    self.assertIn(f"-DTORCH_EXTENSION_NAME={name}", words)

    def test_flags_of_extensions_that_are_loaded(self):
        for name in ("extra_musa_cflags", "extra_cuda_cflags"):
            (self.folder / "notes").write_text("")
            source = self.folder / f"{name}.mu"
            source.write_text("")
            os.environ["CXX"] = str(self.folder / "bin/link")
            self.extensions.torch.ops = types.SimpleNamespace(load_library=lambda path: None)
            self.extensions.load("loaded", [str(source)], extra_cflags=["-DFROM_CXX"], build_directory=str(self.folder / name),
                                 is_python_module=False, **{name: ["-DFROM_MCC"]})
            words = self.of([shlex.split(line) for line in (self.folder / "notes").read_text().splitlines()], "mcc", str(source))
            self.assertIn("-DFROM_MCC", words)
            self.assertNotIn("-DFROM_CXX", words)


if __name__ == "__main__":
    unittest.main()
