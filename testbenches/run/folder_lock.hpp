// testbenches/run/folder_lock.hpp: only one run at a time writes to a folder of results.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

namespace flitwave {

/// Locks a folder for this process until destroyed; creates it when there is none. The lock ends
/// with the process, however it ends. On a file system without locks it has no effect.
class FolderLock {
 public:
  /// While another process holds the folder, waits, and calls `go_on` now and then, first before
  /// the wait. Throws: SystemFailure when the folder cannot be made.
  FolderLock(const std::string& folder, const std::function<bool()>& go_on);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  /// Whether this object created the folder.
  bool made() const { return made_; }
  /// False when `go_on` returned false.
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
