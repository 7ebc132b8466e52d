# tools/setup.sh: what the launchers share: folders, Debian packages, configuring, building.
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034 # Sourced by tools/flitwave, tools/test and .ci/run.

root=$(readlink -f "${BASH_SOURCE[0]%/*}/..")
builds=$(readlink -m "${FLITWAVE_BUILD:-$root/build}") # one folder per preset in it

# Everything the project needs to be built, tested and run: the one list of it.
flitwave_packages=(
  g++ cmake ninja-build pkg-config python3 valgrind gnuplot-nox
  libsystemc-dev libyaml-cpp-dev libboost-dev libboost-graph-dev libcli11-dev libfmt-dev
  nlohmann-json3-dev catch2 librapidcheck-dev libbenchmark-dev verilator
)

# say TEXT: tells the person; the program's own output stays clean.
say() { printf 'flitwave: %s\n' "$1" >&2; }

# quietly COMMAND...: shows what the command printed only if it fails.
quietly() {
  local output status=0
  output=$("$@" 2>&1 </dev/null) || status=$?
  if ((status != 0)); then
    printf '%s\n' "$output" >&2
    say "failed with status $status: $*"
  fi
  return "$status"
}

# visibly COMMAND...: quietly, but on a terminal its progress is shown.
visibly() {
  if [[ -t 2 ]]; then "$@" >&2 </dev/null; else quietly "$@"; fi
}

# alone_in FOLDER DESCRIPTOR: no one else is past this line with FOLDER until DESCRIPTOR is closed.
alone_in() {
  if ! mkdir -p "$1" 2>/dev/null || [[ ! -w $1 ]] || ! eval "exec $2>\"\$1/.lock\""; then
    say "cannot write to $1; FLITWAVE_BUILD=FOLDER puts the build elsewhere"
    exit 5
  fi
  if ! flock -n "$2"; then
    say "waiting for another build in $1"
    flock "$2"
  fi
}

# missing_packages PACKAGE...: those that are not installed, one per line.
missing_packages() {
  local state package
  local -A installed=()
  while read -r state package; do
    if [[ $state == installed ]]; then installed[$package]=1; fi
  done < <(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null)
  for package in "$@"; do
    if [[ -z ${installed[$package]:-} ]]; then printf '%s\n' "$package"; fi
  done
}

# install_packages PACKAGE...: installs what is missing, else returns at once; exits with 5 when it
# cannot. Where there is no dpkg, CMake says what it does not find.
install_packages() {
  command -v dpkg-query >/dev/null || return 0
  [[ -n $(missing_packages "$@") ]] || return 0
  alone_in "$builds" 8
  local missing apt=(env)
  mapfile -t missing < <(missing_packages "$@")
  if ((${#missing[@]} > 0 && EUID != 0)); then
    if ! sudo -n true 2>/dev/null; then
      say "these Debian packages are missing; install them as root, then call again:"
      printf '  apt-get update && apt-get install --no-install-recommends %s\n' "${missing[*]}" >&2
      exit 5
    fi
    apt=(sudo -n env)
  fi
  apt+=(DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get -q -o DPkg::Lock::Timeout=600)
  if ((${#missing[@]} > 0)); then
    say "installing ${#missing[@]} Debian packages (a minute or two)"
    if ! { quietly "${apt[@]}" update &&
      quietly "${apt[@]}" install -y --no-install-recommends "${missing[@]}"; }; then
      say "could not install: ${missing[*]}"
      exit 5
    fi
  fi
  exec 8>&-
}

# configure PRESET FOLDER [CMAKE OPTION...]: unless FOLDER was configured so before, and here.
configure() {
  local preset=$1 folder=$2 mark=$2/.configured
  shift 2
  local wanted="$root $preset $*"
  if [[ -f $folder/build.ninja && ! $root/CMakePresets.json -nt $mark &&
    $(cat "$mark" 2>/dev/null) == "$wanted" ]]; then
    return 0
  fi
  (cd "$root" && quietly cmake --preset "$preset" --fresh -B "$folder" "$@") || return
  printf '%s\n' "$wanted" >"$mark"
}

# build FOLDER: leaves in FOLDER/.built when the last success began.
build() {
  local quiet=(-- --quiet)
  if [[ -t 2 ]]; then quiet=(); fi
  touch "$1/.building"
  visibly cmake --build "$1" "${quiet[@]}" || return
  mv "$1/.building" "$1/.built"
}

# build_target FOLDER TARGET: builds one target and what it needs.
build_target() {
  local quiet=(-- --quiet)
  if [[ -t 2 ]]; then quiet=(); fi
  visibly cmake --build "$1" --target "$2" "${quiet[@]}"
}
