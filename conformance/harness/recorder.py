"""Records cases on real GPUs: compile all, run each more than once, keep what is stable."""

import datetime
import json
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from . import cuda, observations
from .expectations import RECORDING_FORMAT
from .process import runProgram

FRAMEWORK = Path(__file__).resolve().parent.parent / "framework"  # what cases in Python import
_STDERR_KEPT = 2000


class GpuPool:
    """Hands out GPUs, each to one process at a time."""

    def __init__(self, count):
        self._free = set(range(count))
        self._changed = threading.Condition()

    def take(self, count):
        with self._changed:
            self._changed.wait_for(lambda: len(self._free) >= count)
            taken = sorted(self._free)[:count]
            self._free -= set(taken)
            return taken

    def giveBack(self, taken):
        with self._changed:
            self._free |= set(taken)
            self._changed.notify_all()


class Recorder:
    def __init__(self, cases, work, jobs, repeats, caseTimeout, budget):
        self._cases = cases
        self._work = Path(work)
        self._jobs = jobs
        self._repeats = repeats
        self._caseTimeout = caseTimeout
        self._deadline = time.monotonic() + budget
        self._nvcc = cuda.findNvcc()
        self._nccl = cuda.ncclOptions()
        self._cudnn = cuda.cudnnOptions()
        self._nvshmem = cuda.nvshmemFolder()
        self._gpus = cuda.gpus()
        self._work.mkdir(parents=True, exist_ok=True)

    def machine(self):
        return {
            "gpu": self._gpus[0][0] if self._gpus else "none",
            "gpu_count": len(self._gpus),
            "driver": self._gpus[0][1] if self._gpus else "none",
            "compute_capability": self._gpus[0][2] if self._gpus else "none",
            "toolkit": f"CUDA {cuda.toolkitVersion(self._nvcc)}",
            "nccl": cuda.ncclVersion(self._nccl),
            "cudnn": cuda.cudnnVersion(self._cudnn),
            "nvshmem": cuda.nvshmemVersion(self._nvshmem),
            "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d"),
        }

    def compileAll(self):
        """Returns {case name: why not} of the cases that do not compile."""
        with ThreadPoolExecutor(self._jobs) as pool:
            results = list(pool.map(self._compile, self._cases))
        return {case.name: error for case, error in zip(self._cases, results) if error}

    def _program(self, case):
        return self._work / case.name

    def _command(self, case):
        return [sys.executable, "-B", case.source] if case.isPython else [self._program(case)]

    def _compile(self, case):
        if case.isPython:
            return ""
        arch = self._gpus[0][2].replace(".", "") if self._gpus else "90"
        standard = "c++20" if "cpp20" in case.options else "c++17"
        command = [self._nvcc, f"-std={standard}", "-O2", f"-arch=sm_{arch}", case.source, *case.parts]
        command += ["-o", self._program(case)]
        if "rdc" in case.options:
            command += ["-rdc=true", "-lcudadevrt"]
        if "cpp20" in case.options:  # its comparisons are constexpr functions of the standard library
            command.append("--expt-relaxed-constexpr")
        if "nccl" in case.links:
            command += self._nccl
        if "cudnn" in case.links:
            command += self._cudnn
        if "nvshmem" in case.links:
            command += cuda.nvshmemOptions(self._nvshmem)
        if "driver" in case.links:
            command.append("-lcuda")
        command += [f"-l{name}" for name in case.links if name not in ("nccl", "cudnn", "driver", "nvshmem")]
        outcome = runProgram(command, timeout=300)
        return "" if outcome.succeeded else (outcome.stdout + outcome.stderr)[-_STDERR_KEPT:] or outcome.describe()

    def record(self):
        """Compiles and runs everything; returns the recording."""
        failures = self.compileAll()
        runnable = [c for c in self._cases if c.name not in failures and c.devices <= len(self._gpus)]
        runs = {case.name: [] for case in runnable}
        pool = GpuPool(len(self._gpus))
        # The wide ones first, so that they do not wait for a gap at the end.
        runnable.sort(key=lambda case: (-case.devices, case.name))
        with ThreadPoolExecutor(max(1, len(self._gpus))) as executor:
            for _ in range(self._repeats):
                for case, outcome in executor.map(lambda case: (case, self._runOn(pool, case)), runnable):
                    if outcome is not None:
                        runs[case.name].append(outcome)
                # What hung once is not given the time to hang again.
                runnable = [c for c in runnable if not runs[c.name] or runs[c.name][-1].status != "timed-out"]
        cases = {case.name: self._entry(case, failures, runs) for case in self._cases}
        return {"format": RECORDING_FORMAT, "machine": self.machine(), "cases": cases}

    def _runOn(self, pool, case):
        taken = pool.take(case.devices)
        try:
            left = self._deadline - time.monotonic()
            if left < 1:
                return None
            environment = {
                "CUDA_VISIBLE_DEVICES": ",".join(map(str, taken)),
                # A kernel loaded late would wait for one that waits at a gate.
                "CUDA_MODULE_LOADING": "EAGER",
                "CUDA_DEVICE_ORDER": "PCI_BUS_ID",
                "PYTHONPATH": str(FRAMEWORK),
            }
            return runProgram(self._command(case), min(self._caseTimeout, left), environment)
        finally:
            pool.giveBack(taken)

    def _entry(self, case, failures, runs):
        entry = {"devices": case.devices}
        if case.name in failures:
            return {**entry, "status": "did not compile", "detail": failures[case.name]}
        if case.devices > len(self._gpus):
            return {**entry, "status": f"needs {case.devices} GPUs"}
        outcomes = runs[case.name]
        if not outcomes:
            return {**entry, "status": "no time left"}
        return {**entry, **summarise(case.name, outcomes)}


def summarise(caseName, outcomes):
    """One entry from all runs of a case: what they agree on, and what not."""
    ends = sorted({outcome.describe() for outcome in outcomes})
    detail = outcomes[-1].stderr[-_STDERR_KEPT:]
    try:
        seen = [observations.parse(caseName, outcome.stdout) for outcome in outcomes]
    except observations.ObservationError as error:
        return {"status": f"unreadable: {error}", "detail": detail}
    stable, unstable = {}, {}
    for key in dict.fromkeys(key for values in seen for key in values):
        values = [run.get(key) for run in seen]
        if len(set(values)) == 1:
            stable[key] = values[0]
        else:
            unstable[key] = values
    # Not a failure of the suite to note here: a case that hangs or dies on
    # hardware says nothing that could be expected of an emulation.
    status = "recorded" if ends == ["exit 0"] else "ended with " + " / ".join(ends)
    return {
        "status": status,
        "exit": ends[0],
        "runs": len(outcomes),
        "observations": stable,
        "unstable": unstable,
        "detail": detail,
    }


def write(recording, path):
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(recording, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
