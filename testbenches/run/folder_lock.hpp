// testbenches/run/folder_lock.hpp: one run at a time writes to a folder of results.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

namespace flitwave {

/// Keeps a folder to this process until destroyed; makes it when there is none. A process that
/// ends, however it does, keeps it no longer. Where the file system knows no locks it does nothing.
class FolderLock {
 public:
  /// While another process has the folder, waits, and asks `go_on` now and then, first before the
  /// wait. Throws: SystemFailure when the folder cannot be made.
  FolderLock(const std::string& folder, const std::function<bool()>& go_on);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  /// Whether there was no such folder before.
  bool made() const { return made_; }
  /// False when `go_on` said no.
  bool held() const { return held_; }

 private:
  bool lock();

  std::string folder_;
  std::string file_;
  bool made_ = false;
  bool held_ = false;
  int descriptor_ = -1;
};

}  // namespace flitwave
