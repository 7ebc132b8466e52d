# tools/check_packages.sh: the Debian packages on a new machine: tools/check_install.sh --deb CHROOT
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2154 # Sourced by check_install.sh, with its functions.

packages=(libflitwave-pure0 libflitwave0 flitwave libflitwave-dev flitwave-doc)
debs=/var/debs # in the fresh system

# make_packages: the packages of a build with shared libraries.
make_packages() {
  install_packages "${program_packages[@]}" dpkg-dev file
  (cd "$root" && quietly cmake --preset release -B "$builds/deb" -DBUILD_SHARED_LIBS=ON \
    -DCMAKE_INSTALL_PREFIX=/usr)
  watched "building shared libraries" ninja -C "$builds/deb"
  rm -f "$builds"/deb/*.deb
  (cd "$builds/deb" && quietly cpack -G DEB)
}

# in_system SCRIPT ARGUMENT...: a shell script in the fresh system, as root; it ends at the first
# error.
in_system() {
  local script=$1
  shift
  chroot "$chroot_folder" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp \
    DEBIAN_FRONTEND=noninteractive LC_ALL=C /bin/bash -euo pipefail -c "$script" in_system "$@"
}

# get PACKAGE...: installs packages, ours from their files.
get() {
  local package names=()
  for package in "$@"; do
    # shellcheck disable=SC2016 # expanded inside
    if [[ " ${packages[*]} " == *" $package "* ]]; then package=$(in_system 'ls "$1/$2"_*.deb' "$debs" "$package"); fi
    names+=("$package")
  done
  quietly in_system 'apt-get -q -y --no-install-recommends install "$@"' "${names[@]}"
}

has() { in_system 'dpkg-query -W -f "\${db:Status-Status}\n" "$1" 2>/dev/null | grep -qx installed' "$1"; }

# traces: files of the fresh system with our name, and of packages that were installed.
traces() {
  # shellcheck disable=SC2016 # expanded inside
  in_system 'find / -xdev -iname "*flitwave*" -not -path "$1/*" -not -path "/home/*" -not -path "/tmp/*" -not -name "${2##*/}"' \
    "$debs" "$mark"
}

timed "packages" make_packages || fail "no packages were made"
fresh_system
mkdir "$chroot_folder$debs"
cp "$builds"/deb/*.deb "$chroot_folder$debs"
quietly in_system 'apt-get -q update'
for package in "${packages[@]}"; do
  file=$(echo "$chroot_folder$debs/$package"_*.deb)
  echo "$(basename "$file"): $(dpkg-deb -f "$file" Depends)"
done

get libflitwave-pure0
if has libsystemc; then fail "libflitwave-pure0 has installed SystemC"; fi
# shellcheck disable=SC2016 # expanded inside
needed=$(in_system 'ldd "$(find /usr/lib -name "libflitwave_algorithms.so.*.*.*")"')
echo "$needed"
grep -q libyaml-cpp <<<"$needed" || fail "the pure libraries do not use yaml-cpp"
if grep -q -e systemc -e "not found" <<<"$needed"; then fail "libflitwave-pure0 needs SystemC, or something that is missing"; fi

get libflitwave0 flitwave flitwave-doc
if in_system 'command -v g++ >/dev/null'; then fail "the command has installed a compiler"; fi
in_system 'cd /tmp && flitwave run /usr/share/doc/flitwave/configs/experiments/quickstart.yaml --out quickstart && test -s quickstart/plot.svg' ||
  fail "the command does not run a job"
in_system 'cd /tmp && flitwave run /usr/share/doc/flitwave/configs/scenarios/virtual_platform.yaml --out platform --quiet' ||
  fail "the command does not run a job with TLM devices"

# The projects of users: those that the test `consumer` builds.
get libflitwave-dev g++ cmake ninja-build pkg-config binutils
for compiler in g++ clang++; do
  [[ $compiler == g++ ]] || get clang
  # shellcheck disable=SC2016 # expanded inside
  in_system 'rm -rf /tmp/consumer && cp -r "$1" /tmp/tree && cd /tmp/tree/testbenches/tests/consumer
    cmake -S . -B /tmp/consumer -G Ninja -DCMAKE_CXX_COMPILER="$2" >/dev/null
    ninja -C /tmp/consumer
    ctest --test-dir /tmp/consumer --output-on-failure
    rm -rf /tmp/tree' "$tree" "$compiler" || fail "projects of users, compiled by $compiler"
done

quietly in_system 'apt-get -q -y purge "$@"' "${packages[@]}"
left=$(traces)
[[ -z $left ]] || fail "left after the removal: $left"
echo "all is well"
