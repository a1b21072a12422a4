"""Thrust's and CUB's own tests, built as they are by the SDK's nvcc and run on emulated devices. scripts/cccl_tests calls it."""
import argparse
import concurrent.futures
import fnmatch
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading

import yaml

HERE = pathlib.Path(__file__).resolve().parent
# Passes that optimise much cost hours here and find nothing more.
OPTIONS = ["-O1", "-fmusa-cpu=x86-64-v3", "-std=c++14", "-w"]
# Each architecture's product, with memory that a machine of a build has: tests size themselves by it.
PRODUCTS = {"mp_22": "S4000", "mp_31": "S5000"}
MEMORY_MIB = 8192
# A step that has not taken its limit of processor time in so many times the limit hangs.
CLOCKS = 20


class Test:
    """One program: a source, and of CUB's parameters the values that it is compiled with."""

    def __init__(self, library, name, source, defines=(), arch="mp_31"):
        self.library, self.source, self.defines, self.arch = library, source, list(defines), arch
        self.options = []
        self.name = f"{library}/{name}" + (f" {arch}" if arch != "mp_31" else "")

    def file(self, out):
        return out / re.sub(r"[^\w.-]+", "_", self.name)


def thrust_tests(checkout):
    folder = checkout / "testing"
    for source in sorted(folder.glob("*.cu")) + sorted(folder.glob("cuda/*.cu")):
        yield Test("thrust", source.relative_to(folder).as_posix()[:-3], source)


def cub_tests(checkout):
    for source in sorted((checkout / "test").glob("test_*.cu")):
        name = source.stem.removeprefix("test_")
        variants = [[]]
        for define, values in re.findall(r"%PARAM% +(\w+) +\w+ +([\w:]+)", source.read_text()):
            variants = [v + [f"-D{define}={value}"] for v in variants for value in values.split(":")]
        for defines in variants:
            suffix = "".join("." + d.split("=")[1] for d in defines)
            for arch in ("mp_31", "mp_22") if name.startswith(("block", "warp")) else ("mp_31",):
                yield Test("cub", name + suffix, source, defines, arch)


def run(command, limit, log, environment=None):
    """(exit status or None after the limit, seconds of processors): other work on the machine changes neither."""
    with open(log, "w", encoding="utf-8") as file:
        # Each process may take the limit; one that waits for ever is ended by the clock.
        process = subprocess.Popen(["prlimit", f"--cpu={limit}", *command], stdout=file, stderr=subprocess.STDOUT, env=environment,
                                   start_new_session=True)
        hanging = threading.Event()
        clock = threading.Timer(CLOCKS * limit, lambda: (hanging.set(), os.killpg(process.pid, signal.SIGKILL)))
        clock.start()
        _, status, usage = os.wait4(process.pid, 0)
        clock.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = usage.ru_utime + usage.ru_stime
        ended = hanging.is_set() or process.returncode != 0 and seconds >= limit
        return None if ended else process.returncode, seconds


def first_error(log):
    for line in log.read_text(encoding="utf-8", errors="replace").splitlines():
        found = re.search(r"(?:error|Error|FAIL|failed|incorrect|Mismatch|fault|signal)[^\n]*", line)
        if found:
            return found[0].strip()[:160]
    return "no message"


class Runner:
    def __init__(self, arguments):
        self.arguments, self.out = arguments, pathlib.Path(arguments.out)
        self.out.mkdir(parents=True, exist_ok=True)
        self.nvcc = f"{arguments.sdk}/cuda/bin/nvcc"
        self.framework = {}

    def objects(self, test):
        """Thrust's test framework, compiled once for each architecture."""
        if test.library != "thrust":
            return []
        if test.arch not in self.framework:
            objects = []
            for name in ("testframework", "cuda/testframework"):
                made = self.out / f"{name.replace('/', '_')}.{test.arch}.o"
                command = [self.nvcc, *OPTIONS, f"--offload-arch={test.arch}", "-I", f"{self.arguments.thrust}/testing", "-c",
                           f"{self.arguments.thrust}/testing/unittest/{name}.cu", "-o", str(made)]
                subprocess.run(command, check=True)
                objects.append(str(made))
            self.framework[test.arch] = objects
        return self.framework[test.arch]

    def build(self, test):
        """What is known of the test after its build: it has a verdict if there is nothing to run."""
        program = test.file(self.out)
        includes = ["-I", str(test.source.parent)]
        if test.library == "thrust":
            includes = ["-I", f"{self.arguments.thrust}/testing"]
        log = program.with_name(program.name + ".build")
        command = [self.nvcc, *OPTIONS, f"--offload-arch={test.arch}", *includes, *test.defines, *test.options, str(test.source),
                   *self.objects(test), "-o", str(program)]
        status, seconds = run(command, self.arguments.limit, log)
        result = {"build": round(seconds, 1)}
        if status is None:
            return {**result, "verdict": "not built", "reason": f"its build takes more than {self.arguments.limit} s"}
        if status != 0:
            return {**result, "verdict": "not built", "reason": first_error(log)}
        return result

    def execute(self, test, result):
        if "verdict" in result:
            return result
        program = test.file(self.out)
        log = program.with_name(program.name + ".run")
        machine = self.out / f"{test.arch}.yml"
        machine.write_text(f"devices: [{{product: {PRODUCTS[test.arch]}, memory_mib: {MEMORY_MIB}}}]\n")
        environment = {**os.environ, "MUSASHIM_MACHINE": str(machine)}
        status, seconds = run([str(program)], self.arguments.limit, log, environment)
        program.unlink()
        result = {**result, "run": round(seconds, 1)}
        if status is None:
            return {**result, "verdict": "failed", "reason": f"runs for more than {self.arguments.limit} s"}
        if status != 0:
            return {**result, "verdict": "failed", "reason": f"status {status}: {first_error(log)}"}
        return {**result, "verdict": "passed", "reason": ""}

    def run_all(self, tests):
        """Yields each test with its result. While one program runs, the next are built: they wait for nobody."""
        for test in tests:
            self.objects(test)
        with concurrent.futures.ThreadPoolExecutor(self.arguments.builds) as builds, concurrent.futures.ThreadPoolExecutor(1) as runs:
            built = {builds.submit(self.build, test): test for test in tests}
            ran = {runs.submit(lambda b: self.execute(built[b], b.result()), b): t for b, t in built.items()}
            for done in concurrent.futures.as_completed(ran):
                yield ran[done], done.result()


def table(results, left_out, names):
    counts = {v: sum(r["verdict"] == v for r in results.values()) for v in ("passed", "failed", "not built")}
    lines = ["# Thrust's and CUB's own tests", "",
             "Of 1.17.2, as they are, by the SDK's nvcc; `./scripts/cccl_tests --write` makes this table."
             " Seconds are those of processors (-: not measured).", "",
             f"Of {len(names) - len(left_out)} variants {len(results)} have been run: of these"
             f" {counts['passed']} pass, {counts['failed']} fail, {counts['not built']} do not build; "
             f"{len(left_out)} are left out with a reason.", "",
             "| test | verdict | build s | run s | reason |", "|---|---|---|---|---|"]
    for name, result in sorted(results.items()):
        reason = result["reason"].replace("|", "\\|")
        seconds = [f"{result[step]:.0f}" if step in result else "-" for step in ("build", "run")]
        lines.append(f"| {name} | {result['verdict']} | {' | '.join(seconds)} | {reason} |")
    lines += ["", "## Left out", "", "| test | reason |", "|---|---|"]
    lines += [f"| {name} | {reason} |" for name, reason in sorted(left_out.items())]
    waiting = [name for name in names if name not in results and name not in left_out]
    if waiting:
        lines += ["", "## Not run yet", "", "For want of processors' time alone: " + ", ".join(waiting) + "."]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("sdk", "thrust", "cub", "out", "table"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--only", action="append", default=[], help="tests whose name matches the pattern (repeatable: in that order)")
    parser.add_argument("--limit", type=int, default=600, help="processor seconds that a process of a build or of a run may take")
    parser.add_argument("--builds", type=int, default=1, help="programs that are built at once, beside the one that runs")
    parser.add_argument("--again", action="store_true", help="run what has a result already")
    parser.add_argument("--write", action="store_true", help="write the table")
    parser.add_argument("--table-only", action="store_true", help="run nothing")
    arguments = parser.parse_args()
    known = yaml.safe_load((HERE / "public_tests.yml").read_text())
    tests, missing = [], []
    for library, collect in (("thrust", thrust_tests), ("cub", cub_tests)):
        checkout = pathlib.Path(getattr(arguments, library))
        if checkout.is_dir():
            tests += collect(checkout)
        else:
            missing.append(str(checkout))
    if missing:
        print(f"not checked out: {', '.join(missing)}; see --help", file=sys.stderr)
    left_out = {t.name: why for t in tests for pattern, why in known["left_out"].items() if fnmatch.fnmatchcase(t.name, pattern)}
    for test in tests:
        test.options = known["options"].get(test.name, [])
    store = pathlib.Path(arguments.out) / "results.json"
    results = json.loads(store.read_text()) if store.exists() else {}
    results = {name: result for name, result in results.items() if name not in left_out}
    runner = Runner(arguments)
    # A list without repetitions, in the order of the patterns.
    wanted = {t.name: t for pattern in arguments.only or ["*"] for t in tests if fnmatch.fnmatchcase(t.name, pattern)}
    wanted = [t for t in wanted.values() if t.name not in left_out and (t.name not in results or arguments.again)]
    for test, result in runner.run_all([] if arguments.table_only else wanted):
        results[test.name] = result
        store.write_text(json.dumps(results, indent=1, sort_keys=True))
        print(f"{test.name:44} {result['verdict']:10} {result['reason']}", flush=True)
    text = table(results, left_out, [t.name for t in tests])
    print(text.splitlines()[4])
    if arguments.write:
        pathlib.Path(arguments.table).write_text(text)
    return any(result["verdict"] != "passed" for result in results.values())


if __name__ == "__main__":
    sys.exit(main())
