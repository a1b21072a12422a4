# Shared by the scripts: progress lines, packages, configure, build, install.
# Source it; it sets `root` and changes into it.
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
cd "$root"

step_number=0
step_count=${step_count:-0}

# step TEXT: announces the next step, with the time since the start.
step() {
  step_number=$((step_number + 1))
  printf '\n[%d/%d] %s  (%ds)\n' "$step_number" "$step_count" "$1" "$SECONDS"
}

fail() {
  printf 'error: %s\n' "$1" >&2
  exit 1
}

# run_logged NAME COMMAND...: keeps the output in build/logs/NAME.log and shows its
# end when the command fails.
run_logged() {
  local name=$1 log="$root/build/logs/$1.log"
  shift
  mkdir -p "$root/build/logs"
  if ! "$@" >"$log" 2>&1; then
    tail -n 60 "$log" >&2
    fail "'$*' failed; the whole output is in build/logs/$name.log"
  fi
}

# Debian packages that the SDK's core needs, and those of all of it and the tests. The core is what a first run waits for: its
# list is as short as can be.
core_packages=(
  ca-certificates make cmake ninja-build
  clang-19 lld-19 llvm-19-dev libclang-19-dev libclang-rt-19-dev liblld-19-dev
  libcli11-dev libfmt-dev libyaml-cpp-dev libyaml-dev nlohmann-json3-dev libpugixml-dev libhwloc-dev
  libibverbs-dev libjemalloc-dev
  python3 python3-pip python3-yaml python3-jinja2
)
more_packages=(
  git g++ ccache pkg-config libomp-19-dev
  libopenblas-serial-dev
  libgtest-dev libgmock-dev libbenchmark-dev libmpfr-dev openmpi-bin libopenmpi-dev
  python3-jsonschema gdb
)

# ensure_packages core|all: installs what is missing, and nothing when all is there.
ensure_packages() {
  local packages=("${core_packages[@]}")
  [ "$1" = core ] || packages+=("${more_packages[@]}")
  command -v dpkg-query >/dev/null || fail "this script installs Debian packages; on another system install their counterparts: ${packages[*]}"
  local missing=() package
  for package in "${packages[@]}"; do
    dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
  done
  if [ ${#missing[@]} -eq 0 ]; then
    echo "all ${#packages[@]} packages are there"
    fetch_headers "$1"
    return
  fi
  local sudo=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || fail "packages are missing and there is no sudo; as root run: apt-get install ${missing[*]}"
    sudo=(sudo)
  fi
  echo "installing: ${missing[*]}"
  run_logged apt-update "${sudo[@]}" apt-get update
  # dpkg does not wait for the disk at each of some 30,000 files.
  run_logged apt-install "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y --no-install-recommends -o Dpkg::Options::=--force-unsafe-io "${missing[@]}"
  fetch_headers "$1"
}

# What libmurand is built with.
fetch_headers() {
  [ "$1" = core ] || [ -d third_party/rocrand ] || run_logged rocrand scripts/rocrand_headers
}

# configure PRESET [OPTION...]
configure() {
  local preset=$1
  shift
  run_logged "configure-$preset" cmake --preset "$preset" "$@"
}

# build PRESET [TARGET...]: with ninja's progress on a terminal, else in a log.
build() {
  local preset=$1
  shift
  if [ -t 1 ]; then
    cmake --build --preset "$preset" ${1:+--target "$@"} || fail "the build failed; see above"
  else
    run_logged "build-$preset" cmake --build --preset "$preset" ${1:+--target "$@"}
  fi
}

install_sdk() { # install_sdk PRESET
  run_logged "install-$1" cmake --install "build/$1"
}

# Is build/release set up for the SDK's core alone, or not at all yet?
is_core_only() {
  ! grep -qs '^MUSASHIM_CORE_ONLY:[A-Z]*=OFF' build/release/CMakeCache.txt
}

need_sdk() { # need_sdk FOLDER: that there is one, with all libraries
  [ -x "$1/bin/mcc" ] && [ -e "$1/lib/libmublas.so" ] || fail "no whole SDK in $1: run ./scripts/quickstart --all first"
}
