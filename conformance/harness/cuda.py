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


def ncclOptions():
    """Options to compile and link with NCCL: that of a Python package if there
    is one, else the one that nvcc finds by itself."""
    roots = [os.environ["NCCL_HOME"]] if "NCCL_HOME" in os.environ else []
    for folder in sys.path:
        roots += sorted(glob.glob(os.path.join(folder, "nvidia", "nccl")))
    for root in roots:
        header = Path(root) / "include" / "nccl.h"
        libraries = sorted(glob.glob(f"{root}/lib*/libnccl.so*"))
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
    return ["-lnccl"]


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


def ncclVersion(options):
    """NCCL's version as its header states it."""
    folders = [option[2:] for option in options if option.startswith("-I")]
    for folder in folders + ["/usr/local/cuda/include", "/usr/include", "/usr/local/include"]:
        header = Path(folder) / "nccl.h"
        if header.exists():
            text = header.read_text(encoding="utf-8", errors="replace")
            parts = [_firstMatch(rf"#define NCCL_{part}\s+(\d+)", text) for part in ("MAJOR", "MINOR", "PATCH")]
            return ".".join(parts)
    return "unknown"


def toolkitVersion(nvcc):
    return _firstMatch(r"release ([0-9.]+)", runProgram([nvcc, "--version"], timeout=60).stdout)
