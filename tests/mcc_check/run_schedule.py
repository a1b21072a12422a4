#!/usr/bin/env python3
"""MUSASHIM_SCHEDULE orders blocks, warps and threads, and repeats its order.

usage: run_schedule.py SDK PROGRAM.mu FOLDER
"""
import os
import subprocess
import sys

LANES = 32


def run(program, schedule):
    environment = dict(os.environ, MUSASHIM_THREADS="1")
    environment.pop("MUSASHIM_SCHEDULE", None)
    if schedule:
        environment["MUSASHIM_SCHEDULE"] = schedule
    result = subprocess.run([program], env=environment, capture_output=True, text=True, timeout=60, check=True)
    values = {}
    for line in result.stdout.splitlines():
        name, text = line.split(": ")
        values[name] = text if name == "race" else [int(number) for number in text.split()]
    values["stderr"] = result.stderr
    return values


def warps_in_order(threads):
    """The warps as they first appear."""
    return list(dict.fromkeys(thread // LANES for thread in threads))


def main():
    sdk, source, folder = sys.argv[1:4]
    os.makedirs(folder, exist_ok=True)
    program = os.path.join(folder, "order")
    # Fibers run the threads, as they do whenever a block's threads must be told apart.
    subprocess.run([f"{sdk}/bin/mcc", "-fmusa-check=synccheck", source, "-o", program, "-lmusart"], check=True)

    forward, reverse = run(program, None), run(program, "reverse")
    count = {name: len(forward[name]) for name in ("blocks", "before", "after")}
    for name in ("blocks", "before"):
        assert forward[name] == list(range(count[name])), (name, forward[name])
        assert reverse[name] == list(range(count[name]))[::-1], (name, reverse[name])
    assert run(program, "forward")["after"] == forward["after"]

    seeds = [run(program, f"seed:{seed}") for seed in range(6)]
    for seed, values in enumerate(seeds):
        # Blocks start in this order; one may still overtake another on a second host thread.
        again = [run(program, f"seed:{seed}") for _ in range(4)]
        for name, number in count.items():
            assert sorted(values[name]) == list(range(number)), (seed, name)
            same = [values[name] == other[name] for other in again]
            assert any(same) if name == "blocks" else all(same), (seed, name)
    for name in count:
        assert len({tuple(values[name]) for values in seeds}) > 1, f"all seeds give one order of {name}"
    assert any(warps_in_order(values["before"]) != [0, 1, 2] for values in seeds)

    assert forward["race"] == "hidden" and reverse["race"] == "shown"
    assert any(values["race"] == "shown" for values in seeds)

    refused = run(program, "seed:x")
    assert "MUSASHIM_SCHEDULE=seed:x is not usable" in refused["stderr"] and refused["blocks"] == forward["blocks"]


main()
