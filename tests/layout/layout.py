"""What the tree promises about its rooms: who may include whom, how full folders and files get, and that each
folder is explained. Each check returns a list of complaints, one line each, that name the place and the remedy."""
import os
import re
from pathlib import Path

TOP = ("backends", "cmake", "conformance", "samples", "scripts", "shim", "tests", "translator")
SOURCES = {".c", ".cc", ".cpp", ".cu", ".cuh", ".h", ".hpp", ".mu", ".muh", ".py"}
MOST_FILES = 25
MOST_LINES = 400
# Lists of like things, where a room would not help to find one.
LISTS = ("conformance/cases", "translator/mappings", "shim/include", "tests")
# What a layer may include of the tree: of itself and of these. The others are the public headers, shim/include.
LAYERS = {
    "backends": (),
    "translator": (),
    "shim/core": ("backends/support",),
    "shim/metrics": (),
    "shim/timeline": ("shim/metrics",),
    "shim/musa": ("shim/core", "shim/timeline", "backends/abi", "backends/interface", "backends/support"),
    "shim/musart": ("shim/core", "backends/support"),
    "shim/mccl": ("shim/core", "backends/support"),
    "shim/mtshmem": ("shim/core", "shim/libs/core", "shim/mccl/net", "shim/mccl/bootstrap/socket.h", "shim/mccl/comm/roster.h",
                     "shim/mccl/core/log.h"),
    "shim/libs": ("shim/core", "backends/support"),
    "shim/mtrtc": ("shim/core", "shim/mcc/driver", "backends/abi", "translator/lib"),
    "shim/mttx": ("shim/core",),
    "shim/mupti": ("shim/core", "backends/support"),
    "shim/mtml": ("shim/core", "shim/mccl/topology"),
    "shim/mcc": ("shim/core", "backends/abi", "translator/lib"),
}
# Layers on the ground floor: to them even the SDK's headers are upstairs.
GROUND = ("backends", "translator")
_ROOTS = ("shim", "backends", "", "shim/include")
_INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^">]+)[">]', re.M)


def tree(root):
    """Paths of all files of the project, relative to `root`, with /."""
    files = []
    for top in TOP:
        for folder, folders, names in os.walk(Path(root) / top):
            folders[:] = sorted(name for name in folders if name != "__pycache__")
            files += [(Path(folder) / name).relative_to(root).as_posix() for name in sorted(names)]
    return files


def isSource(path, root):
    """A file of code of ours: by its ending, or a script by its first line."""
    if Path(path).suffix in SOURCES:
        return True
    if "." in Path(path).name:
        return False
    with open(Path(root) / path, "rb") as file:
        return file.read(2) == b"#!"


def under(path, folder):
    return path == folder or path.startswith(folder + "/")


def includes(root, files):
    """{file: files of the tree that it includes}"""
    known = set(files)
    found = {}
    for path in files:
        if Path(path).suffix not in SOURCES - {".py"}:
            continue
        text = (Path(root) / path).read_text(encoding="utf-8", errors="replace")
        targets = []
        for quote, name in _INCLUDE.findall(text):
            folders = list(_ROOTS) if quote == '"' else ["shim/include"]
            if quote == '"':
                folders.insert(0, os.path.dirname(path))
                if path.startswith("tests/"):
                    folders.append("/".join(path.split("/")[:2]))
            candidates = (os.path.normpath(os.path.join(folder, name)) for folder in folders)
            targets += [next(filter(known.__contains__, candidates), None)]
        found[path] = [target for target in targets if target is not None]
    return found


def layers(graph):
    """Layers include what stands below them, and nothing else."""
    complaints = []
    for path, targets in graph.items():
        layer = next((layer for layer in LAYERS if under(path, layer)), None)
        if layer is None or under(path, "shim/include"):
            continue
        allowed = (layer, *LAYERS[layer], *(() if layer in GROUND else ("shim/include",)))
        complaints += [f"{path}: includes {target}, but {layer}/ may include {', '.join(allowed)} only"
                       for target in targets if not any(under(target, folder) for folder in allowed)]
    return complaints


def loops(graph):
    """No file includes itself by way of others."""
    complaints, done = [], set()

    def visit(path, trail):
        if path in trail:
            loop = [*trail[trail.index(path):], path]
            complaints.append(f"{path}: includes itself: {' -> '.join(loop)}; move what both need to a third file")
        elif path not in done:
            for target in graph.get(path, ()):
                visit(target, [*trail, path])
            done.add(path)

    for path in graph:
        visit(path, [])
    return complaints


def fullFolders(sources):
    """Folders that need rooms."""
    counts = {}
    for path in sources:
        folder = os.path.dirname(path)
        if not any(under(folder, exempt) for exempt in LISTS):
            counts[folder] = counts.get(folder, 0) + 1
    return [f"{folder}: {count} source files directly in it; at most {MOST_FILES}: give it rooms"
            for folder, count in counts.items() if count > MOST_FILES]


def longFiles(root, sources):
    """Files in which another noun is hiding."""
    complaints = []
    for path in sources:
        with open(Path(root) / path, encoding="utf-8", errors="replace") as file:
            lines = sum(1 for _ in file)
        if lines > MOST_LINES:
            complaints.append(f"{path}: {lines} lines; at most {MOST_LINES}: split it by what it holds")
    return complaints


def unexplained(root, sources):
    """Folders that no README's table names. The nearest README is the one in a folder above."""
    complaints = []
    for folder in sorted({os.path.dirname(path) for path in sources}):
        parts = folder.split("/")
        if under(folder, "conformance/cases") or (parts[0] == "tests" and len(parts) > 2):
            continue
        above = next(place for place in ["/".join(parts[:depth]) for depth in range(len(parts) - 1, -1, -1)]
                     if (Path(root) / place / "README.md").exists())
        name = folder[len(above):].strip("/")
        readme = (Path(root) / above / "README.md").read_text(encoding="utf-8")
        cells = [line.split("|")[1] for line in readme.splitlines() if line.startswith("|")]
        if not any(re.search(rf"[`\[]{re.escape(name)}/?[`\]]", cell) for cell in cells):
            readme_path = f"{above}/README.md".lstrip("/")
            complaints.append(f"{folder}: the tables of {readme_path} do not say what belongs in `{name}/`")
    return complaints


def check(root):
    """All complaints about the tree at `root`."""
    files = tree(root)
    sources = [path for path in files if isSource(path, root)]
    graph = includes(root, files)
    return [*layers(graph), *loops(graph), *fullFolders(sources), *longFiles(root, sources),
            *unexplained(root, sources)]
