#!/usr/bin/env python3
"""What counting costs: slowdown.py SDK FOLDER [KERNEL...].

Kernels of tests/benchmarks, each built plain and with -fmusa-profile, launched many times by one thread: processor time a
launch, plain; how many times that counted; and the same with one block in 64 counted. Prints a line each.
"""
import os
import pathlib
import resource
import statistics
import subprocess
import sys

KERNELS = pathlib.Path(__file__).resolve().parents[1] / "benchmarks/kernels"


def build(sdk, folder, kernel, *flags):
    program = folder / f"{kernel}{'.profiled' if flags else ''}"
    if not program.exists():
        source = KERNELS / kernel / "ours.mu"
        subprocess.run([f"{sdk}/bin/mcc", "-std=c++20", "-O3", "-DTILE=16", *flags, "-I", KERNELS.parent, source, "-o", program, "-lmusart"], check=True)
    return program


def seconds(program, rounds, sample):
    """Of processor time, for so many launches."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("MUSASHIM_")}
    environment.update(MUSASHIM_SESSION="none", MUSASHIM_THREADS="1", MUSASHIM_DEVICES="1", MUSASHIM_ARCH="mp_31",
                       MUSASHIM_METRICS_SAMPLE=sample, MUSASHIM_METRICS_FILE=str(program) + ".json")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([program, "--size", "quick"], input=f"run 1\nrun {rounds}\nquit\n", text=True, env=environment, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def launch(program, sample="1", tries=3, enough=0.4):
    """Seconds of a launch: the difference of as many as take long enough and one, each the fastest of some."""
    rounds, took = 4, 0
    while took < enough / 4 and rounds < 3000:
        rounds *= 2
        took = seconds(program, 1 + rounds, sample) - seconds(program, 1, sample)
    rounds = max(4, min(3000, int(rounds * enough / max(took, enough / 16))))
    many, one = (min(seconds(program, count, sample) for _ in range(tries)) for count in (1 + rounds, 1))
    return max(1e-9, many - one) / rounds


def main():
    sdk, folder, *kernels = sys.argv[1:]
    folder = pathlib.Path(folder).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    rows = []
    for kernel in kernels or sorted(path.name for path in KERNELS.iterdir() if (path / "ours.mu").exists()):
        plain, profiled = build(sdk, folder, kernel), build(sdk, folder, kernel, "-fmusa-profile")
        usual = launch(plain)
        rows.append((launch(profiled) / usual, launch(profiled, "64") / usual))
        print(f"{kernel:<16} {usual * 1e6:>9.0f} us, counted {rows[-1][0]:>6.1f} times, 1 block in 64 {rows[-1][1]:>5.2f} times", flush=True)
    for name, column, most in (("counted", 0, 30), ("1 block in 64", 1, 3)):
        values = [row[column] for row in rows]
        print(f"{name}: {sum(value <= most for value in values)} of {len(values)} at most {most} times, "
              f"median {statistics.median(values):.1f}, most {max(values):.1f}")


if __name__ == "__main__":
    main()
