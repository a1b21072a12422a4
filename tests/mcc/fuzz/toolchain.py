"""Builds a generated program each way and runs it; nothing here knows what is in it."""
import os
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
LANES = {"mp_31": 32, "mp_22": 128}


class Failure(Exception):
    """A compiler or a program did not do its work: (what, its output)."""


def command(arguments, environment=None, seconds=300):
    """(what went wrong or None, standard output, standard error)"""
    try:
        result = subprocess.run(arguments, env=dict(os.environ, **(environment or {})), capture_output=True,
                                text=True, errors="replace", timeout=seconds)
    except subprocess.TimeoutExpired as late:
        return "hangs", (late.stdout or b"").decode(), ""
    return f"status {result.returncode}" if result.returncode != 0 else None, result.stdout, result.stderr


class Way:
    def __init__(self, name, compiler, lanes_by):
        self.name, self.compiler, self.lanes_by = name, compiler, lanes_by

    def build(self, source, folder):
        program = os.path.join(folder, os.path.basename(source) + "." + self.name)
        wrong, _, errors = command(self.compiler + [source, "-I", HERE, "-o", program])
        if wrong is not None:
            raise Failure(f"{self.name}: compiler {wrong}", errors[-3000:])
        return program

    def run(self, program, names, arch, seconds):
        """What it printed, by kernel. A kernel that fails ends the program, which then runs the ones after it."""
        results, first = {}, 0
        while first < len(names):
            environment = dict(self.lanes_by(arch), FUZZ_FIRST=str(first))
            wrong, text, errors = command([program], environment, seconds)
            seen = dict(line.split(" ", 1) for line in text.splitlines() if line.startswith("k"))
            results.update(seen)
            if wrong is None:
                break
            while first < len(names) and names[first] in seen and not seen[names[first]].startswith("error"):
                first += 1
            if first == len(names):
                break
            results[names[first]] = f"{seen.get(names[first], '')} ({wrong}) {errors.strip()[-300:]}".strip()
            first += 1
        return results


def ways(sdk, names):
    def emulated(arch):
        # One of them writes all past the caches that it can.
        past = {"MUSASHIM_PAST_CACHES_MIB": "0"} if arch == "mp_31" else {}
        return {"MUSASHIM_ARCH": arch, "MUSASHIM_DEVICES": "1", **past}

    def reference(arch):
        return {"FUZZ_LANES": str(LANES[arch])}

    mcc = [os.path.join(sdk, "bin", "mcc"), "-w", "-lmusart"]
    known = {
        # What it gives is the same at any -O, and it runs for milliseconds.
        "reference": Way("reference", ["g++", "-std=c++20", "-O0", "-w", "-fwrapv", "-DFUZZ_REFERENCE", "-x", "c++"], reference),
        "block": Way("block", mcc + ["-O3"], emulated),
        "block-O1": Way("block-O1", mcc + ["-O1"], emulated),
        "block-g": Way("block-g", mcc + ["-O2", "-g"], emulated),
        "fibers": Way("fibers", mcc + ["-O3", "-fmusa-fibers"], emulated),
        "O0": Way("O0", mcc + ["-O0"], emulated),
        "O2": Way("O2", mcc + ["-O2"], emulated),
        "rdc": Way("rdc", mcc + ["-O3", "-rdc=true"], emulated),
        "rdc-g": Way("rdc-g", mcc + ["-O1", "-g", "-rdc=true"], emulated),
        "O0-g": Way("O0-g", mcc + ["-O0", "-g"], emulated),
        "check": Way("check", mcc + ["-O2", "-fmusa-check"], emulated),
        "check-O0": Way("check-O0", mcc + ["-O0", "-g", "-fmusa-check"], emulated),
    }
    return list(known.values()) if names == ["all"] else [known[name] for name in names]
