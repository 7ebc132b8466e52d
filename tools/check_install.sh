#!/usr/bin/env bash
# tools/check_install.sh: the first command on a machine that has nothing: tools/check_install.sh CHROOT
# SPDX-License-Identifier: Apache-2.0
# CHROOT is an empty or missing folder, in which debootstrap installs Debian 12; the caller is root.
# Times, in it: the download of packages, the README's first command, its second call, and
# `tools/test -L unit`; and shows what a user without root is told, that a path with spaces and a
# machine without a network will do, and that an interrupted set-up goes on. Ends with 1 at the first
# thing that is not so.
set -euo pipefail

self=$(readlink -f "${BASH_SOURCE[0]}")
root=$(readlink -f "${self%/*}/..")
# shellcheck source=tools/setup.sh
. "$root/tools/setup.sh"
chroot_folder=$(readlink -m "${1:?tools/check_install.sh: the folder for a fresh system is missing}")
tree="/home/user/a tree with spaces" # in the fresh system
first_command=(tools/flitwave run configs/experiments/quickstart.yaml)
most_seconds=240 # for the first command without its downloads

fail() {
  echo "FAILED: $*"
  exit 1
}

# inside USER COMMAND...: in the tree of the fresh system, for the whole of it.
inside() {
  local user=$1
  shift
  # shellcheck disable=SC2016 # expanded inside
  chroot "$chroot_folder" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp \
    setpriv --reuid="$user" --regid="$user" --clear-groups \
    /bin/bash -c 'cd "$1" && shift && "$@"' inside "$tree" "$@"
}

# timed NAME COMMAND...: prints how long it took; leaves that in `seconds`.
timed() {
  local name=$1 begun status=0
  shift
  begun=$(date +%s.%N)
  "$@" || status=$?
  seconds=$(awk -v a="$begun" -v b="$(date +%s.%N)" 'BEGIN { printf "%.2f", b - a }')
  printf '== %s: %s s, exit code %d\n' "$name" "$seconds" "$status"
  return "$status"
}

at_most() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a <= b) }'; }

fresh_system() {
  [[ ! -e $chroot_folder || -z $(ls -A "$chroot_folder") ]] || fail "$chroot_folder is not empty"
  command -v debootstrap >/dev/null || install_packages debootstrap
  mkdir -p "$chroot_folder"
  quietly debootstrap --variant=minbase bookworm "$chroot_folder" "$(mirror)"
  [[ ! -f /etc/apt/apt.conf ]] || cp /etc/apt/apt.conf "$chroot_folder/etc/apt/"
  cp -a /etc/apt/apt.conf.d/. "$chroot_folder/etc/apt/apt.conf.d/"
  cp /etc/resolv.conf /etc/hosts "$chroot_folder/etc/"
  mount -t proc proc "$chroot_folder/proc"
  trap 'umount "$chroot_folder/proc"' EXIT
  mkdir -p "$chroot_folder$tree"
  git -C "$root" archive HEAD | tar -x -C "$chroot_folder$tree"
  chroot "$chroot_folder" useradd --uid 1000 user
  chown -R 1000:1000 "$chroot_folder/home/user"
}

# mirror: where this machine gets its Debian packages.
mirror() {
  local address
  address=$(sed -nE 's/^URIs: *([^ ]+).*/\1/p; s/^deb +(\[[^]]*\] +)?([^ ]+) .*/\2/p' \
    /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | head -n 1)
  echo "${address:-http://deb.debian.org/debian}"
}

timed "a fresh system" fresh_system

# Before anything is installed.
[[ $(inside 1000 tools/flitwave --version) =~ ^[0-9]+\.[0-9]+ ]] || fail "--version needs a build"
inside 1000 tools/flitwave run --help | grep -q -- --set || fail "run --help needs a build"
if told=$(inside 1000 "${first_command[@]}" 2>&1); then fail "a user without root could install"; fi
grep -q 'apt-get install --no-install-recommends g++' <<<"$told" || fail "not told what to install: $told"
echo "a user without root is told: $(grep apt-get <<<"$told")"

# Downloads apart, as far as apt can be told to.
chroot "$chroot_folder" apt-get -q update >/dev/null
timed "downloads" quietly chroot "$chroot_folder" apt-get -q install -y --download-only \
  --no-install-recommends "${program_packages[@]}"

# Interrupted after a while, then to its end.
timed "interrupted first command" timeout -s INT 60 chroot "$chroot_folder" /bin/bash -c \
  'cd "$1" && shift && exec "$@"' inside "$tree" "${first_command[@]}" || true
chown -R 1000:1000 "$chroot_folder/home/user"
before=$seconds
timed "the rest of the first command" inside 0 "${first_command[@]}" || fail "the first command"
whole=$(awk -v a="$before" -v b="$seconds" 'BEGIN { printf "%.0f", a + b }')
echo "first command, downloads not counted: $whole s, at most $most_seconds asked for"

# Again, and without a network.
timed "second call" inside 0 "${first_command[@]}"
second=$seconds
timed "the program alone" inside 0 build/release/tools/flitwave "${first_command[@]:1}"
at_most "$second" "$(awk -v a="$seconds" 'BEGIN { print a + 0.1 }')" ||
  fail "the second call takes more than 0.1 s beside the program"
chown -R 1000:1000 "$chroot_folder/home/user"
timed "without a network, without root" unshare --net -- chroot "$chroot_folder" \
  setpriv --reuid=1000 --regid=1000 --clear-groups /bin/bash -c \
  'cd "$1" && rm -rf build/release && tools/flitwave run --out /tmp/out configs/scenarios/edn_mesh_8x8.yaml' \
  inside "$tree" || fail "without a network"

timed "tools/test -L unit" inside 0 tools/test -L unit || fail "tools/test -L unit"
at_most "$whole" "$most_seconds" || fail "the first command took $whole s"
echo "all is well"
