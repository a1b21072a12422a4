#!/usr/bin/env python3
"""Ports, builds and runs the eligible samples of NVIDIA/cuda-samples.

Which are eligible, and how a run is judged, is data: cuda_samples.yml beside this file.
Arguments of the runs are those of the samples' own test_args.json. A sample passes when
it is ported, compiled, and each of its runs ends with status 0 in time and prints no
failure of its own check. --build says how: mcc, a command of ours (the default); cmake, the sample's own CMakeLists.txt
as musaport ported it; untouched, the sample as it is by its own CMakeLists.txt and the CUDA face of the SDK. With --checked it is built by `mcc -fmusa-check`, and passes when nothing was reported
besides.
"""

import argparse
import dataclasses
import fnmatch
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

import yaml

from cuda_samples_table import table

HERE = pathlib.Path(__file__).resolve().parent
SOURCES = {".cu", ".cpp", ".c", ".cc"}
CODE = SOURCES | {".cuh", ".h", ".hpp"}
LIBRARIES = {"CUDA::cuda_driver": "-lmusa", "CUDA::cublas": "-lmublas", "CUDA::cufft": "-lmufft", "CUDA::curand": "-lmurand",
             "CUDA::cusolver": "-lmusolver", "CUDA::cusparse": "-lmusparse", "CUDA::nvrtc": "-lmtrtc"}
# A time limit counts seconds of an idle machine: what all of its processors do in that time, and as many times
# the wall time at most, so that other work beside the sweep makes no sample fail.
LOADED = 10


@dataclasses.dataclass
class Sample:
    name: str
    folder: str  # relative to the checkout
    sources: list[str]  # as its CMakeLists.txt names them
    options: list[str]
    includes: list[str]  # relative to its folder
    target: str  # of its CMakeLists.txt
    excluded: str = ""


@dataclasses.dataclass
class Result:
    name: str
    folder: str
    # passed; edited (passes once its source is edited by hand); waived (by itself); failed;
    # reported (passes its own check, but the checks said something)
    status: str
    stage: str = ""  # port, build, run
    reason: str = ""
    seconds: float = 0.0


def processor_time(session: int) -> float:
    """Seconds of processor time that the living processes of a session have used, with the children they waited for."""
    ticks = 0
    for status in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rsplit(")", 1)[1].split()
        except (FileNotFoundError, ProcessLookupError):
            continue  # it ended meanwhile
        if int(fields[3]) == session:
            ticks += sum(map(int, fields[11:15]))  # utime, stime, cutime, cstime
    return ticks / os.sysconf("SC_CLK_TCK")


def strip_comments(text: str) -> str:
    return re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S)


def exclusion(folder: pathlib.Path, relative: str, cmake: str, rules: list[dict]) -> str:
    texts = [strip_comments(f.read_text(errors="replace")) for f in folder.rglob("*") if f.suffix in CODE]
    texts.append(re.sub(r"#[^\n]*", "", cmake))
    for rule in rules:
        if any(fnmatch.fnmatch(relative, pattern) for pattern in rule.get("folders", [])):
            return rule["reason"]
        if any(re.search(pattern, text) for pattern in rule.get("patterns", []) for text in texts):
            return rule["reason"]
    return ""


def build_options(cmake: str) -> list[str]:
    """The options of the sample's CMakeLists.txt that have a meaning here."""
    options = ["-O3", "-std=c++17"]
    if "OpenMP::" in cmake:
        options.append("-fopenmp")
    options += [library for target, library in LIBRARIES.items() if target in cmake]
    return options


def include_folders(cmake: str) -> list[str]:
    own = cmake.replace("${CMAKE_CURRENT_SOURCE_DIR}/", "")
    words = [w for words in re.findall(r"include_directories\(([^)]*)\)", own) for w in words.split()]
    return [w for w in words if "/" in w or w in ("inc", "include")]


def find_samples(checkout: pathlib.Path, data: dict) -> list[Sample]:
    samples = []
    for folder in sorted((checkout / "Samples").glob("*/*")):
        lists = folder / "CMakeLists.txt"
        if not lists.is_file():
            continue
        cmake = re.sub(r"(?m)^\s*#.*$", "", lists.read_text())
        target = re.search(r"add_executable\((\S+)\s+([^)]+)\)", cmake)
        relative = str(folder.relative_to(checkout / "Samples"))
        sources = target[2].replace("${CMAKE_CURRENT_SOURCE_DIR}/", "").split() if target else []
        sources = [s for s in sources if pathlib.Path(s).suffix in SOURCES]
        sample = Sample(folder.name, relative, sources, build_options(cmake), include_folders(cmake),
                        target[1] if target else "")
        sample.excluded = exclusion(folder, relative, cmake, data["excluded"])
        if sources:
            samples.append(sample)
    return samples


class Sweep:
    """One sweep: the ported tree, the programs and one log per sample and stage in `out`."""

    def __init__(self, arguments: argparse.Namespace, data: dict):
        self.checkout: pathlib.Path = arguments.checkout.resolve()
        self.sdk: pathlib.Path = arguments.sdk.resolve()
        self.out: pathlib.Path = arguments.out.resolve()
        self.checked: bool = arguments.checked
        self.how: str = arguments.build
        self.limit: float = arguments.time_limit or (data["checked"]["time_limit"] if self.checked else 60)
        self.data = data
        self.arguments = json.loads((self.checkout / "test_args.json").read_text())
        self.environment = os.environ | {"MUSA_PATH": str(self.sdk), "MUSASHIM_ARCH": "S5000"}
        self.ported = self.out / "ported"
        self.results = self.out / "results.yml"
        (self.out / "logs").mkdir(parents=True, exist_ok=True)
        (self.out / "bin").mkdir(exist_ok=True)

    def earlier_results(self, names: set[str]) -> list[Result]:
        """What an earlier sweep into `out` found of these samples."""
        if not self.results.is_file():
            return []
        return [r for entry in yaml.safe_load(self.results.read_text()) or [] if (r := Result(**entry)).name in names]

    def command(self, command: list[str], log: pathlib.Path, limit: float, **options) -> int | None:
        """Exit status, or None when the time limit ended it (with all of its processes)."""
        with log.open("wb") as output:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                                       start_new_session=True, **options)
            end = time.monotonic() + LOADED * limit
            try:
                while time.monotonic() < end and processor_time(process.pid) < (os.cpu_count() or 1) * limit:
                    try:
                        return process.wait(1)
                    except subprocess.TimeoutExpired:
                        pass
                return None
            finally:
                try:
                    os.killpg(process.pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
                process.wait()

    def port(self, folders: list[str]) -> None:
        """Ports Common and the folders, in place of what an earlier sweep left of them."""
        source = self.out / "original"
        shutil.rmtree(source, ignore_errors=True)
        shutil.rmtree(self.ported, ignore_errors=True)
        shutil.copytree(self.checkout / "Common", source / "Common")
        shutil.copytree(self.checkout / "cmake", source / "cmake")
        for folder in folders:
            shutil.copytree(self.checkout / "Samples" / folder, source / "Samples" / folder)
        if self.how == "untouched":
            source.rename(self.ported)
            return
        log = self.out / "logs" / "port.log"
        status = self.command([str(self.sdk / "bin/musaport"), str(source), "-o", str(self.ported), "--list-unported"],
                              log, 600)
        if status != 0:
            sys.exit(f"error: musaport ended with status {status}; see {log}")

    def run(self, sample: Sample) -> Result:
        start = time.monotonic()
        result = self.build(sample) or self.run_all(sample)
        result.seconds = round(time.monotonic() - start, 1)
        return result

    def build(self, sample: Sample) -> Result | None:
        folder = self.ported / "Samples" / sample.folder
        for edit in self.own(sample).get("edits", []):
            name = edit["file"].replace(".mu", ".cu") if self.how == "untouched" else edit["file"]
            self.edit(folder / name, edit["from"], edit["to"])
        if self.how != "mcc":
            return self.build_by_cmake(sample, folder)
        files = [str(folder / re.sub(r"\.cu$", ".mu", source)) for source in sample.sources]
        log = self.out / "logs" / f"{sample.name}.build.log"
        options = sample.options + self.own(sample).get("options", []) + (["-fmusa-check"] if self.checked else [])
        includes = [f"-I{(folder / include).resolve()}" for include in [".", *sample.includes]]
        command = [str(self.sdk / "bin/mcc"), "--offload-arch=mp_31", *includes, *files,
                   "-o", str(self.out / "bin" / sample.name), *options, "-lmusart", "-lpthread", "-ldl", "-lrt"]
        status = self.command(command, log, 300, env=self.environment)
        if status == 0:
            return None
        reason = "compiler ran past its time limit" if status is None else first_error(log)
        return Result(sample.name, sample.folder, "failed", "build", reason)

    def build_by_cmake(self, sample: Sample, folder: pathlib.Path) -> Result | None:
        tree = self.out / "trees" / sample.name
        shutil.rmtree(tree, ignore_errors=True)
        face = self.sdk / "cuda"
        environment = {name: value for name, value in self.environment.items() if not name.startswith(("CUDA", "LIBRARY_PATH"))}
        language = "MUSA"
        if self.how == "untouched":
            environment |= {"PATH": f"{face}/bin:{environment['PATH']}", "CUDAToolkit_ROOT": str(face)}
            language = "CUDA"
        flags = " ".join(self.own(sample).get("options", []))
        commands = [["cmake", "-S", str(folder), "-B", str(tree), "-DCMAKE_BUILD_TYPE=Release"]
                    + ([f"-DCMAKE_{language}_FLAGS={flags}"] if flags else []),
                    ["cmake", "--build", str(tree), "--target", sample.target]]
        for stage, command in zip(("configure", "build"), commands):
            log = self.out / "logs" / f"{sample.name}.{stage}.log"
            status = self.command(command, log, 600, env=environment)
            if status != 0:
                reason = "ran past its time limit" if status is None else first_error(log)
                return Result(sample.name, sample.folder, "failed", stage, reason)
        return None

    @staticmethod
    def edit(file: pathlib.Path, old: str, new: str) -> None:
        text = file.read_text()
        if old not in text:
            sys.exit(f"error: {file.name} has no '{old}'; correct cuda_samples.yml")
        file.write_text(text.replace(old, new))

    def own(self, sample: Sample) -> dict:
        return (self.data.get("samples") or {}).get(sample.name, {})

    def run_all(self, sample: Sample) -> Result:
        settings = self.arguments.get(sample.name, {})
        for number, run in enumerate(settings.get("runs", [settings])):
            result = self.run_once(sample, run.get("args", []), number)
            if result.status != "passed":
                return result
        if "edits" in self.own(sample):
            return Result(sample.name, sample.folder, "edited")
        return Result(sample.name, sample.folder, "passed")

    def run_once(self, sample: Sample, arguments: list[str], number: int) -> Result:
        own = self.own(sample)
        limit = max(own.get("time_limit", 0), self.limit)
        devices = own.get("devices", self.data["devices"])
        log = self.out / "logs" / f"{sample.name}.run{number or ''}.log"
        environment = self.environment | {"MUSASHIM_DEVICES": str(devices), "LD_LIBRARY_PATH": f"{self.sdk}/lib:{self.sdk}/cuda/lib64"}
        more = [*own.get("args", []), *(self.data["checked"]["args"].get(sample.name, []) if self.checked else [])]
        # CMake puts what the program reads beside it.
        program = self.out / "bin" / sample.name if self.how == "mcc" else self.out / "trees" / sample.name / sample.target
        status = self.command([str(program), *arguments, *more], log, limit, env=environment,
                              cwd=program.parent if own.get("runs_where_built") else self.ported / "Samples" / sample.folder)
        text = log.read_text(errors="replace")
        failure = next((m for p in self.data["failure_text"] if (m := re.search(p, text))), None)
        reports = reports_of(text) if self.checked else ""
        if status == 0 and not failure:
            return Result(sample.name, sample.folder, "reported" if reports else "passed", "run" if reports else "", reports)
        lines = [line for line in text.strip().splitlines() if not line.startswith("=========")]
        last = (lines or ["no output"])[-1].strip()
        if status is None:
            return Result(sample.name, sample.folder, "failed", "run", f"ran past {limit:g} s; last line: {last}")
        reason = failure[0].strip() if failure else f"{describe(status)}; last line: {last}"
        reason = re.sub(r"(^|(?<=\s))/\S*/", "", reason)
        verdict = "waived" if status == self.data["waived_status"] else "failed"
        return Result(sample.name, sample.folder, verdict, "run", reason)


def reports_of(text: str) -> str:
    """What the checks said of a run, its processes together; empty when they said nothing."""
    summaries = re.findall(r"(?m)^========= ERROR SUMMARY: (\d+) errors?(?:, (\d+) warnings?)?$", text)
    errors, warnings = (sum(int(s[i] or 0) for s in summaries) for i in (0, 1))
    first = re.search(r"(?m)^========= (?!ERROR SUMMARY)(.+)$", text)
    if not first and not errors and not warnings:
        return ""
    said = re.sub(r"(^|(?<=\s))/\S*/", "", first[1].strip() if first else "no report")
    return f"{errors} errors, {warnings} warnings; first: {said}"


def describe(status: int) -> str:
    return f"signal {signal.Signals(-status).name}" if status < 0 else f"status {status}"


def first_error(log: pathlib.Path) -> str:
    """The first error of a compiler's or linker's output, its position without folders."""
    text = log.read_text(errors="replace")
    match = re.search(r"(?m)^.*(\berror: |CMake Error.*\n.*|undefined (symbol|reference)|Assertion .* failed|Stack dump:).*$", text)
    line = match[0] if match else (text.strip().splitlines() or ["no output"])[-1]
    return re.sub(r"(^|(?<=[\s:]))/\S*/", "", line).strip()


def settings_of(how: str) -> dict:
    """cuda_samples.yml, with what is for ports alone where samples are ported."""
    data = yaml.safe_load((HERE / "cuda_samples.yml").read_text())
    for own in data["samples"].values():
        ported = own.pop("ported", {})
        own |= {} if how == "untouched" else ported
    return data


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkout", type=pathlib.Path, required=True, help="checkout of NVIDIA/cuda-samples")
    parser.add_argument("--sdk", type=pathlib.Path, required=True, help="the installed SDK")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="folder for programs, logs and results")
    parser.add_argument("--only", nargs="*", default=[], help="only the samples that match these globs")
    parser.add_argument("--list", action="store_true", help="list which samples take part, and run none")
    parser.add_argument("--write", type=pathlib.Path, help="write the table of all results in --out to this file")
    parser.add_argument("--checked", action="store_true", help="build with -fmusa-check: nothing may be reported")
    parser.add_argument("--build", choices=["mcc", "cmake", "untouched"], default="mcc", help="how the samples are built")
    parser.add_argument("--time-limit", type=float, help="seconds for one run of a sample (default 60; checked, as "
                        "cuda_samples.yml says); one that has more by cuda_samples.yml keeps it")
    arguments = parser.parse_args()

    data = settings_of(arguments.build)
    samples = find_samples(arguments.checkout, data)
    excluded = [s for s in samples if s.excluded]
    chosen = [s for s in samples if not s.excluded]
    if arguments.only:
        chosen = [s for s in chosen if any(fnmatch.fnmatch(s.name, p) for p in arguments.only)]
    if arguments.list:
        for s in chosen + excluded:
            print(f"{s.folder:60} {s.excluded or 'eligible'}")
        return 0

    sweep = Sweep(arguments, data)
    sweep.port([s.folder for s in chosen])
    results = sweep.earlier_results({s.name for s in samples if not s.excluded} - {s.name for s in chosen})
    for sample in chosen:
        result = sweep.run(sample)
        results.append(result)
        reason = f"  {result.stage}: {result.reason}" if result.reason else ""
        print(f"  {result.name:32} {result.status:7} {result.seconds:6.1f} s{reason}"[:240], flush=True)
        sweep.results.write_text(yaml.safe_dump([dataclasses.asdict(r) for r in results], sort_keys=False))
    text = table(results, excluded, data, "checked" if arguments.checked else arguments.build)
    (sweep.out / "results.md").write_text(text)
    if arguments.write:
        arguments.write.write_text(text)
    passed = sum(r.status == "passed" for r in results)
    print(f"{passed} of {len(results)} samples pass")
    return 0 if passed == len(results) else 1


if __name__ == "__main__":
    sys.exit(main())
