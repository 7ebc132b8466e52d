// testbenches/tests/unit/topologies/scratch_file.hpp: a file that exists during a test.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <unistd.h>

namespace flitwave {

/// A file in a folder of this process, under the system's folder for temporary files.
class ScratchFile {
 public:
  ScratchFile(const std::string& name, const std::string& text)
      : folder_(std::filesystem::temp_directory_path() /
                ("flitwave_unit_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
    path_ = folder_ / name;
    std::ofstream(path_) << text;
  }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  ~ScratchFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
    std::filesystem::remove(folder_, ignored);  // fails while another file is in the folder
  }

  std::string path() const { return path_.string(); }
  std::string folder() const { return folder_.string(); }

 private:
  std::filesystem::path folder_;
  std::filesystem::path path_;
};

}  // namespace flitwave
