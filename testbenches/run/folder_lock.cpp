// testbenches/run/folder_lock.cpp: see folder_lock.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/run/folder_lock.hpp"

#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <system_error>
#include <thread>
#include <unistd.h>

#include "configs/error.hpp"

namespace flitwave {

namespace fs = std::filesystem;

FolderLock::FolderLock(const std::string& folder, const std::function<bool()>& go_on)
    : folder_(folder), file_(folder + "/.lock") {
  std::error_code error;
  made_ = !fs::exists(folder, error);
  fs::create_directories(folder, error);
  if (error) throw SystemFailure("cannot make the folder " + folder + ": " + error.message());
  while (!lock()) {
    if (go_on && !go_on()) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  held_ = true;
}

/// Returns: whether no other process has the folder now.
bool FolderLock::lock() {
  const auto open_file = [this] {
    return ::open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  };
  descriptor_ = open_file();
  if (descriptor_ < 0 && errno == ENOENT) {
    // Its last owner may have removed the folder.
    std::error_code ignored;
    fs::create_directories(folder_, ignored);
    descriptor_ = open_file();
  }
  if (descriptor_ < 0) return true;  // without locks; a later write reports any error
  struct flock whole {};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  const bool locked = ::fcntl(descriptor_, F_SETLK, &whole) == 0;
  if (!locked && errno != EACCES && errno != EAGAIN) return true;  // no locks on this file system
  // The file that was locked may have been removed by its last owner.
  struct stat ours {};
  struct stat there {};
  if (locked && ::fstat(descriptor_, &ours) == 0 && ::stat(file_.c_str(), &there) == 0 &&
      ours.st_ino == there.st_ino)
    return true;
  ::close(descriptor_);
  descriptor_ = -1;
  return false;
}

FolderLock::~FolderLock() {
  if (descriptor_ < 0) return;
  std::error_code ignored;
  fs::remove(file_, ignored);
  if (made_) fs::remove(folder_, ignored);  // succeeds if it is empty
  ::close(descriptor_);
}

}  // namespace flitwave
