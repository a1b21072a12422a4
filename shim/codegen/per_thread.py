"""Entries for programs whose default stream is per thread (CUDA's _ptsz and _ptds symbols).

_ptsz: an entry with a stream, where 0 means the calling thread's stream.
_ptds: a synchronous entry, on that stream instead of the legacy one.
"""


# Written by hand in musart/api/per_thread.cpp: the stream is inside a structure, or there are two.
BY_HAND = ("musaLaunchKernelExC", "musaGraphInstantiateWithParams", "musaStreamCopyAttributes", "musaGetDriverEntryPoint",
           "musaGetDriverEntryPointByVersion")


def streamParameter(record):
    names = [p["name"] for p in record["params"] if p["type"] == "musaStream_t"]
    return names[0] if len(names) == 1 else None


def isCallable(record):
    return record["status"] != "not_supported"


def asynchronous(record, by_name):
    """The entry that does the same in a stream, if its parameters are these and the stream."""
    other = by_name.get(record["name"] + "Async")
    if other is None or not isCallable(other) or streamParameter(other) != other["params"][-1]["name"]:
        return None
    ours = [p["type"] for p in record["params"]]
    return other if [p["type"] for p in other["params"][:-1]] == ours else None


def variants(functions):
    """[{name, kind, record, stream or asynchronous}] for all runtime records."""
    by_name = {f["name"]: f for f in functions}
    found = []
    for record in functions:
        if not isCallable(record) or record["returns"] != "musaError_t":
            continue
        if record["name"] in BY_HAND:
            found.append({"name": record["name"] + "_ptsz", "kind": "hand", "record": record})
            continue
        stream = streamParameter(record)
        if stream is not None:
            found.append({"name": record["name"] + "_ptsz", "kind": "ptsz", "record": record, "stream": stream})
        elif (other := asynchronous(record, by_name)) is not None:
            found.append({"name": record["name"] + "_ptds", "kind": "ptds", "record": record, "other": other["name"]})
    return found


# Written by hand in musa/api/per_thread.cpp: the stream is inside a structure, or nothing asynchronous does the same.
DRIVER_BY_HAND = {"muLaunchKernelEx": "ptsz", "muGraphInstantiateWithParams": "ptsz", "muMemcpyDtoA": "ptds",
                  "muMemcpyAtoD": "ptds", "muMemcpyAtoA": "ptds", "muMemcpy2DUnaligned": "ptds"}
# 0 is no stream to end, and memory belongs to none unless a call says so.
DRIVER_NONE = ("muStreamDestroy", "muMemAlloc", "muMemFree")


def driver_variants(functions):
    """{name: {symbol, kind, record, streams or other}} for the driver's records."""
    by_name = {f["name"]: f for f in functions}
    found = {}
    for record in functions:
        name = record["name"]
        if not isCallable(record) or name in DRIVER_NONE:
            continue
        streams = [p["name"] for p in record["params"] if p["type"] == "MUstream"]
        other = by_name.get(name + "Async")
        ours = [p["type"] for p in record["params"]] + ["MUstream"]
        if name in DRIVER_BY_HAND:
            found[name] = {"kind": "hand", "suffix": DRIVER_BY_HAND[name]}
        elif streams:
            found[name] = {"kind": "ptsz", "suffix": "ptsz", "streams": streams}
        elif other is not None and isCallable(other) and [p["type"] for p in other["params"]] == ours:
            found[name] = {"kind": "ptds", "suffix": "ptds", "other": other["name"]}
        if name in found:
            found[name].update(record=record, symbol=f"{record['symbol']}_{found[name]['suffix']}")
    return found
