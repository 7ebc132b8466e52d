// testbenches/plots/gnuplot.cpp: see gnuplot.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/plots/gnuplot.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "configs/error.hpp"
#include "testbenches/run/run_files.hpp"

namespace flitwave {

namespace {

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

/// A file without a name that is gone when it is closed.
File scratch_file() {
  File file(std::tmpfile());
  if (!file) throw SystemFailure(std::string("no temporary file: ") + std::strerror(errno));
  return file;
}

std::string read_all(std::FILE* file) {
  std::rewind(file);
  std::string text;
  char buffer[65536];
  while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, file))
    text.append(buffer, count);
  return text;
}

/// gnuplot between files; its exit status.
int run_gnuplot(std::FILE* input, std::FILE* output, std::FILE* errors) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0)
    throw SystemFailure(std::string("no process for gnuplot: ") + std::strerror(errno));
  if (child == 0) {
    dup2(fileno(input), STDIN_FILENO);
    dup2(fileno(output), STDOUT_FILENO);
    dup2(fileno(errors), STDERR_FILENO);
    execlp("gnuplot", "gnuplot", "-d", static_cast<char*>(nullptr));  // -d: nobody's ~/.gnuplot
    _exit(127);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace

void require_gnuplot() {
  std::istringstream folders(std::getenv("PATH") ? std::getenv("PATH") : "/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (access(((folder.empty() ? "." : folder) + "/gnuplot").c_str(), X_OK) == 0) return;
  throw SystemFailure(
      "gnuplot, which draws the pictures, is not installed; install the package gnuplot-nox");
}

std::string gnuplot_picture(const std::string& script) {
  require_gnuplot();
  const File input = scratch_file();
  const File output = scratch_file();
  const File errors = scratch_file();
  if (std::fwrite(script.data(), 1, script.size(), input.get()) != script.size() ||
      std::fflush(input.get()) != 0)
    throw SystemFailure(std::string("cannot write a script for gnuplot: ") + std::strerror(errno));
  std::rewind(input.get());
  const int status = run_gnuplot(input.get(), output.get(), errors.get());
  const std::string picture = read_all(output.get());
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || picture.find("</svg>") == std::string::npos)
    throw SystemFailure("gnuplot made no picture: " + read_all(errors.get()));
  return picture;
}

std::vector<std::string> write_picture(const std::string& folder, const std::string& stem,
                                       const std::string& script) {
  write_file(folder + "/" + stem + ".gp", script);
  write_file(folder + "/" + stem + ".svg", gnuplot_picture(script));
  return {stem + ".gp", stem + ".svg"};
}

std::string gnuplot_text(const std::string& text) {
  std::string quoted = "'";
  for (char c : text) {
    if (c == '\n' || c == '\r') continue;
    if (c == '\'') quoted += '\'';
    quoted += c;
  }
  return quoted + "'";
}

const char* gnuplot_colour(std::size_t line) {
  // Told apart by people who see few colours. Source: Okabe & Ito 2008, "Color universal design".
  constexpr std::array colours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                  "#e69f00", "#56b4e9", "#000000"};
  return colours[line % colours.size()];
}

int gnuplot_mark(std::size_t line) {
  // Filled shapes first; where colours begin again each has another shape.
  constexpr std::array marks = {7, 5, 9, 13, 11, 6, 4};
  return marks[(line + line / marks.size()) % marks.size()];
}

int gnuplot_hollow_mark(std::size_t line) {
  const int mark = gnuplot_mark(line);
  return mark % 2 == 0 ? mark : mark - 1;
}

std::string gnuplot_head(int width, int height) {
  return fmt::format(
      "# Prints a picture: gnuplot this_file > picture.svg\n"
      "set terminal svg size {},{} noenhanced font 'sans,14' background 'white'\n"
      "set encoding utf8\n"
      "set border 3 linecolor rgb '#606060'\n"
      "set tics nomirror textcolor rgb '#303030'\n",
      width, height);
}

}  // namespace flitwave
