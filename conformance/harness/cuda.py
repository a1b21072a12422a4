"""The CUDA tool chain of a recording machine: nvcc, NCCL, the GPUs."""

import glob
import os
import re
import shutil
import sys
from pathlib import Path

from .process import runProgram


class ToolchainError(Exception):
    """The machine cannot record."""


def findNvcc():
    for candidate in (os.environ.get("NVCC"), shutil.which("nvcc"), "/usr/local/cuda/bin/nvcc"):
        if candidate and Path(candidate).exists():
            return candidate
    raise ToolchainError("nvcc not found: set NVCC or PATH")


def packageOptions(package, name):
    """Options to compile and link with a library that comes by itself (NCCL, cuDNN): that of a Python package
    if there is one, else the one that nvcc finds by itself."""
    home = os.environ.get(f"{name.upper()}_HOME")
    roots = [home] if home else []
    for folder in sys.path:
        roots += sorted(glob.glob(os.path.join(folder, "nvidia", package)))
    for root in roots:
        header = Path(root) / "include" / f"{name}.h"
        libraries = sorted(glob.glob(f"{root}/lib*/lib{name}.so*"))
        if header.exists() and libraries:
            library = Path(libraries[0])
            return [
                f"-I{header.parent}",
                f"-L{library.parent}",
                "-Xlinker",
                f"-rpath={library.parent}",
                "-Xlinker",
                f"-l:{library.name}",
            ]
    return [f"-l{name}"]


def ncclOptions():
    return packageOptions("nccl", "nccl")


def cudnnOptions():
    return packageOptions("cudnn", "cudnn")


def nvshmemFolder():
    """Where NVSHMEM is: NVSHMEM_HOME, or a Python package; None where there is none."""
    roots = [os.environ["NVSHMEM_HOME"]] if "NVSHMEM_HOME" in os.environ else []
    for folder in sys.path:
        roots += sorted(glob.glob(os.path.join(folder, "nvidia", "nvshmem")))
    return next((Path(root).resolve() for root in roots if (Path(root) / "include" / "nvshmem.h").exists()), None)


def _nvshmemLibraries(root):
    """The folder of its host library, and that one's name."""
    found = sorted(glob.glob(f"{root}/lib*/libnvshmem_host.so*"))
    return (Path(found[0]).parent, f"-l:{Path(found[0]).name}") if found else (root / "lib", "-lnvshmem_host")


def nvshmemOptions(root):
    """Options to compile and link with it; its device part is a library of relocatable device code."""
    if root is None:
        return ["-rdc=true", "-lnvshmem_host", "-lnvshmem_device", "-lcuda"]
    folder, name = _nvshmemLibraries(root)
    found = ["-Xlinker", f"-rpath={folder}", f"-L{folder}", name]
    return ["-rdc=true", f"-I{root}/include", *found, "-lnvshmem_device", "-lcuda", "-lcudadevrt"]


def nvshmemEnvironment(root):
    """Of its programs: it loads its other parts by name. Cases need no network between hosts."""
    environment = {"NVSHMEM_REMOTE_TRANSPORT": "none"}
    if root is not None:
        paths = [str(_nvshmemLibraries(root)[0]), os.environ.get("LD_LIBRARY_PATH", "")]
        environment["LD_LIBRARY_PATH"] = ":".join(path for path in paths if path)
    return environment


def nvshmemVersion(root):
    """NVSHMEM's version as its header states it."""
    header = root / "include" / "non_abi" / "nvshmem_version.h" if root else None
    if header is None or not header.exists():
        return "unknown"
    text = header.read_text(encoding="utf-8", errors="replace")
    parts = [_firstMatch(rf"#define NVSHMEM_VENDOR_{part}_VERSION\s+(\d+)", text) for part in ("MAJOR", "MINOR", "PATCH")]
    return ".".join(parts)


def _firstMatch(pattern, text, otherwise="unknown"):
    found = re.search(pattern, text)
    return found.group(1) if found else otherwise


def gpus():
    """One (name, driver, compute capability) for each GPU; empty where there is none."""
    query = ["nvidia-smi", "--query-gpu=name,driver_version,compute_cap", "--format=csv,noheader"]
    outcome = runProgram(query, timeout=60)
    if not outcome.succeeded:
        return []
    return [tuple(field.strip() for field in line.split(",")) for line in outcome.stdout.splitlines() if line.strip()]


def _headerVersion(options, header, prefix, last):
    folders = [option[2:] for option in options if option.startswith("-I")]
    for folder in folders + ["/usr/local/cuda/include", "/usr/include", "/usr/local/include"]:
        path = Path(folder) / header
        if path.exists():
            text = path.read_text(encoding="utf-8", errors="replace")
            parts = [_firstMatch(rf"#define {prefix}_{part}\s+(\d+)", text) for part in ("MAJOR", "MINOR", last)]
            return ".".join(parts)
    return "unknown"


def ncclVersion(options):
    """NCCL's version as its header states it."""
    return _headerVersion(options, "nccl.h", "NCCL", "PATCH")


def cudnnVersion(options):
    """cuDNN's version as its header states it."""
    return _headerVersion(options, "cudnn_version.h", "CUDNN", "PATCHLEVEL")


def toolkitVersion(nvcc):
    return _firstMatch(r"release ([0-9.]+)", runProgram([nvcc, "--version"], timeout=60).stdout)
