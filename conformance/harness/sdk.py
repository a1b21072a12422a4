"""The SDK under test: musaport to port, mcc to build."""

import shutil
from pathlib import Path

from .process import runProgram

_LIBRARIES = {
    "nccl": "-lmccl",
    "driver": "-lmusa",
    "cublas": "-lmublas",
    "cublasLt": "-lmublasLt",
    "cufft": "-lmufft",
    "cufftw": "-lmufftw",
    "curand": "-lmurand",
    "cusolver": "-lmusolver",
    "cusparse": "-lmusparse",
    "cudnn": "-lmudnn",
    "nvrtc": "-lmtrtc",
    "nvshmem": "-lmtshmem",
}

# Kernels as by -O2; the host's code, of which nothing is observed, would be a third of a case's compilation.
_OPTIMIZATION = ("-O0", "-Od2", "-fomit-frame-pointer")


class SdkError(Exception):
    """The SDK is not there, or the cases' common headers cannot be ported."""


class Sdk:
    _programs = ("bin/musaport", "bin/mcc")

    def __init__(self, root, work, archesOf, python=None):
        """`archesOf` says of a case what it runs on."""
        self._root = Path(root).resolve()
        self._work = Path(work).resolve()
        self._archesOf = archesOf
        self._python = python
        for program in self._programs:
            if not (self._root / program).exists():
                raise SdkError(f"{self._root}/{program} is missing: install the SDK first")

    def prepare(self, framework):
        """Ports what all cases include. Call once, before portAndBuild."""
        headers = self._work / "framework"
        if self._work.exists():
            shutil.rmtree(self._work)
        self._work.mkdir(parents=True)
        for header in sorted(Path(framework).glob("*.h")):
            outcome = self._port(header, headers / header.name)
            if not outcome.succeeded:
                raise SdkError(f"musaport {header}: {outcome.describe()}\n{outcome.stdout}{outcome.stderr}")

    def _port(self, source, target):
        target.parent.mkdir(parents=True, exist_ok=True)
        return runProgram([self._root / "bin" / "musaport", "--strict", source, "-o", target], timeout=60)

    def lacks(self, case):
        """What the case needs that was not given; empty if nothing."""
        return "needs --python" if case.isPython and not self._python else ""

    def _program(self, case):
        return self._work / "programs" / case.name

    def _script(self, case):
        return self._work / "cases" / case.group / f"{case.stem}.py"

    def command(self, case):
        # The interpreter's path as it was given: that of a virtual environment is a link.
        return [self._python, "-B", self._script(case)] if case.isPython else [self._program(case)]

    def portAndBuild(self, case):
        """Returns (status, log): status is empty when the program is there."""
        if case.isPython:
            outcome = self._port(case.source, self._script(case))
            return ("" if outcome.succeeded else "port-failed"), outcome.stdout + outcome.stderr
        folder = self._work / "cases" / case.group
        sources = [folder / f"{case.stem}.mu", *(folder / "parts" / f"{part.stem}.mu" for part in case.parts)]
        ported = dict(zip((case.source, *case.parts), sources))
        if case.parts:
            headers = (case.source.parent / "parts").glob("*.h")
            ported.update((header, folder / "parts" / header.name) for header in headers)
        for original, target in ported.items():
            outcome = self._port(original, target)
            if not outcome.succeeded:
                return "port-failed", f"musaport: {outcome.describe()}\n{outcome.stdout}{outcome.stderr}"
        self._program(case).parent.mkdir(parents=True, exist_ok=True)
        command = [self._root / "bin" / "mcc", *_OPTIMIZATION, "-DMUSASHIM_CUDA_LIBRARIES", *(f"--offload-arch={arch}" for arch in self._archesOf(case))]
        if "rdc" in case.options:
            command.append("-rdc=true")
        if "cpp20" in case.options:
            command.append("-std=c++20")
        command += [*sources, "-o", self._program(case), "-lmusart", *(_LIBRARIES[name] for name in case.links)]
        outcome = runProgram(command, timeout=300)
        if not outcome.succeeded:
            return "build-failed", f"mcc: {outcome.describe()}\n{outcome.stdout}{outcome.stderr}"
        return "", outcome.stderr


class Untouched(Sdk):
    """The SDK's CUDA face: the cases as they are, by its nvcc."""

    _programs = ("cuda/bin/nvcc",)

    def prepare(self, framework):
        if self._work.exists():
            shutil.rmtree(self._work)
        self._work.mkdir(parents=True)

    def lacks(self, case):
        return "is in Python" if case.isPython else ""

    def portAndBuild(self, case):
        self._program(case).parent.mkdir(parents=True, exist_ok=True)
        command = [self._root / "cuda" / "bin" / "nvcc", *_OPTIMIZATION, *(["-rdc=true"] if "rdc" in case.options else []),
                   *(["-std=c++20"] if "cpp20" in case.options else [])]
        names = ["cuda" if name == "driver" else name for name in case.links]
        command += [case.source, *case.parts, "-o", self._program(case), *(f"-l{name}" for name in names)]
        outcome = runProgram(command, timeout=300, environment={"MUSASHIM_ARCH": self._archesOf(case)[0]})
        if not outcome.succeeded:
            return "build-failed", f"nvcc: {outcome.describe()}\n{outcome.stdout}{outcome.stderr}"
        return "", outcome.stderr


class BuiltOnce:
    """An Sdk whose programs serve several runs: for each architecture that they are built for."""

    def __init__(self, sdk):
        self._sdk = sdk
        self._built = {}  # by name: what came of a case

    def lacks(self, case):
        return self._sdk.lacks(case)

    def command(self, case):
        return self._sdk.command(case)

    def portAndBuild(self, case):
        if case.name not in self._built:
            self._built[case.name] = self._sdk.portAndBuild(case)
        return self._built[case.name]


class BuiltBefore:
    """An Sdk whose programs are there from an earlier run."""

    def __init__(self, sdk):
        self._sdk = sdk

    def lacks(self, case):
        return self._sdk.lacks(case)

    def command(self, case):
        return self._sdk.command(case)

    def portAndBuild(self, case):
        program = self.command(case)[-1]
        return ("", "") if program.exists() else ("build-failed", f"{program} is not there")
