// testbenches/waves/files/fst_writer.cpp: GTKWave's writer of FST, from the files of Verilator.
// SPDX-License-Identifier: Apache-2.0
// [compiled alone]
#ifdef FLITWAVE_FSTAPI
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "testbenches/waves/files/fst_system.hpp"

namespace flitwave::fst {

namespace {

std::atomic<int> first_error{0};

/// Notes the error of a call of the system. Returns: `result`.
template <typename Result>
Result note(bool failed, Result result) {
  int none = 0;
  if (failed) first_error.compare_exchange_strong(none, errno != 0 ? errno : EIO);
  return result;
}

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

/// A temporary file in memory: the writer maps such files, and a mapped file on a full disk ends
/// the process by a signal. They are small: some bytes per variable, and the times of a block.
std::FILE* open_temporary() {
  const int file = memfd_create("flitwave.fst", MFD_CLOEXEC);
  if (file < 0) return note(true, static_cast<std::FILE*>(nullptr));
  std::FILE* const stream = fdopen(file, "w+b");
  if (!stream) ::close(file);
  return note(!stream, stream);
}

/// The declarations are such a file, too: the writer removes it when it closes the wave.
std::FILE* open(const char* path, const char* mode) {
  if (ends_with(path, ".hier") && std::strcmp(mode, "w+b") == 0) return open_temporary();
  std::FILE* const stream = std::fopen(path, mode);
  return note(!stream && std::strchr(mode, 'w'), stream);
}

std::size_t write(const void* data, std::size_t size, std::size_t count, std::FILE* file) {
  const std::size_t written = std::fwrite(data, size, count, file);
  return note(written != count && size > 0, written);
}

int put(int character, std::FILE* file) {
  const int written = std::fputc(character, file);
  return note(written == EOF, written);
}

int flush(std::FILE* file) {
  const int result = std::fflush(file);
  return note(result != 0, result);
}

int seek(std::FILE* file, off_t offset, int whence) {
  const int result = ::fseeko(file, offset, whence);
  return note(result != 0, result);
}

int close(std::FILE* file) {
  const int result = std::fclose(file);
  return note(result != 0, result);
}

/// Pages beyond the end of a file that could not be written whole must not be accessed: other
/// memory replaces them, since the wave is lost anyway.
void* map(void* address, std::size_t length, int protection, int flags, int file, off_t offset) {
  struct stat status {};
  const bool whole = fstat(file, &status) == 0 &&
                     static_cast<std::uint64_t>(status.st_size) >= offset + std::uint64_t{length};
  if (!whole) {
    errno = ENOSPC;  // unless a call before has failed for a reason that is known
    return note(true, ::mmap(address, length, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  }
  void* const memory = ::mmap(address, length, protection, flags, file, offset);
  return note(memory == MAP_FAILED, memory);
}

}  // namespace

int error() { return first_error; }
void clear_error() { first_error = 0; }

}  // namespace flitwave::fst

// What the writer includes, before its calls are replaced.
#include <cstdlib>
#include <pthread.h>
#include <zlib.h>

#define tmpfile flitwave::fst::open_temporary
#define fopen flitwave::fst::open
#define fwrite flitwave::fst::write
#define fputc flitwave::fst::put
#define fflush flitwave::fst::flush
#define fseeko flitwave::fst::seek
#define fclose flitwave::fst::close
#define mmap flitwave::fst::map

#define FST_CONFIG_INCLUDE "fst_config.h"
#include <gtkwave/fastlz.c>
#include <gtkwave/fstapi.c>
#include <gtkwave/lz4.c>
#endif
