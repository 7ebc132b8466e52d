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

/// A file without a name that is removed when it is closed.
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

/// A file without a name that holds `text`; reads start at its beginning.
File scratch_file(const std::string& text) {
  File file = scratch_file();
  if (std::fwrite(text.data(), 1, text.size(), file.get()) != text.size() ||
      std::fflush(file.get()) != 0)
    throw SystemFailure(std::string("cannot write a script for gnuplot: ") + std::strerror(errno));
  std::rewind(file.get());
  return file;
}

constexpr int data_descriptor = 3;

/// Runs gnuplot on open files and returns its exit status. Its variable `data` names the data.
int run_gnuplot(std::FILE* script, std::FILE* data, std::FILE* output, std::FILE* errors,
                PictureFormat format) {
  std::fflush(nullptr);
  const std::string settings =
      fmt::format("format = '{}'; data = '/dev/fd/{}'",
                  format == PictureFormat::svg ? "svg" : "pdf", data_descriptor);
  const pid_t child = fork();
  if (child < 0)
    throw SystemFailure(std::string("no process for gnuplot: ") + std::strerror(errno));
  if (child == 0) {
    dup2(fileno(script), STDIN_FILENO);
    dup2(fileno(output), STDOUT_FILENO);
    dup2(fileno(errors), STDERR_FILENO);
    dup2(fileno(data), data_descriptor);
    // -d: ignore ~/.gnuplot
    execlp("gnuplot", "gnuplot", "-d", "-e", settings.c_str(), "-", static_cast<char*>(nullptr));
    _exit(127);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

bool is_whole(const std::string& picture, PictureFormat format) {
  return picture.find(format == PictureFormat::svg ? "</svg>" : "%%EOF") != std::string::npos;
}

/// A PDF of the same length without its creation time.
std::string without_time(std::string pdf) {
  const std::size_t begin = pdf.find("/CreationDate (");
  const std::size_t end = pdf.find(')', begin);
  if (begin != std::string::npos && end != std::string::npos)
    pdf.replace(begin, end + 1 - begin, end + 1 - begin, ' ');
  return pdf;
}

}  // namespace

std::vector<std::string> names_of(PictureFormat) { return {"svg", "pdf"}; }

void require_gnuplot() {
  std::istringstream folders(std::getenv("PATH") ? std::getenv("PATH") : "/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (access(((folder.empty() ? "." : folder) + "/gnuplot").c_str(), X_OK) == 0) return;
  throw SystemFailure(
      "gnuplot, which draws the pictures, is not installed; install the package gnuplot-nox");
}

std::string gnuplot_picture(const Drawing& drawing, PictureFormat format) {
  require_gnuplot();
  const File script = scratch_file(drawing.script);
  const File data = scratch_file(drawing.data);
  const File output = scratch_file();
  const File errors = scratch_file();
  const int status = run_gnuplot(script.get(), data.get(), output.get(), errors.get(), format);
  const std::string picture = read_all(output.get());
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || !is_whole(picture, format))
    throw SystemFailure("gnuplot produced no picture: " + read_all(errors.get()));
  return format == PictureFormat::pdf ? without_time(picture) : picture;
}

std::string gnuplot_picture(const std::string& script) {
  return gnuplot_picture(Drawing{script, ""});
}

std::vector<std::string> write_picture(const std::string& folder, const std::string& stem,
                                       const Drawing& drawing,
                                       const std::vector<PictureFormat>& formats) {
  std::vector<std::string> written;
  const auto write = [&](const std::string& ending, const std::string& text) {
    written.push_back(stem + ending);
    write_file(folder + "/" + written.back(), text);
  };
  write(".gp", drawing.script);
  if (!drawing.data.empty()) write(".dat", drawing.data);
  for (const PictureFormat format : formats)
    write(format == PictureFormat::svg ? ".svg" : ".pdf", gnuplot_picture(drawing, format));
  return written;
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

std::string gnuplot_text(const std::vector<std::string>& lines) {
  std::vector<std::string> quoted;
  for (const std::string& line : lines) quoted.push_back(gnuplot_text(line));
  return fmt::format("{}", fmt::join(quoted, R"(."\n".)"));
}

const char* gnuplot_colour(std::size_t line) {
  // Distinguishable for colour-blind readers, and by lightness. The first seven are the colours of
  // Okabe & Ito 2008, "Color universal design", without yellow; most others are colours of Tol
  // 2021, "Colour schemes".
  constexpr std::array<const char*, distinct_lines> colours = {
      "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9",
      "#000000", "#882255", "#332288", "#ddcc77", "#661100", "#5b2c6f"};
  return colours[line % colours.size()];
}

int gnuplot_mark(std::size_t line) {
  // Filled shapes first; where the colours repeat, each has another shape.
  constexpr std::array<int, distinct_lines> marks = {7, 5, 9, 13, 11, 15, 6, 4, 8, 12, 10, 14};
  return marks[(line + line / marks.size()) % marks.size()];
}

int gnuplot_hollow_mark(std::size_t line) {
  const int mark = gnuplot_mark(line);
  return mark % 2 == 0 ? mark : mark - 1;
}

const char* gnuplot_dashes(std::size_t line) {
  constexpr std::array<const char*, distinct_lines> dashes = {
      "solid",  "(14,4)", "(3,3)",      "(14,4,3,4)",      "(7,4)",      "(14,4,3,4,3,4)",
      "(28,5)", "(3,7)",  "(28,5,3,5)", "(14,4,14,4,3,4)", "(28,5,7,5)", "(7,4,3,4)"};
  return dashes[line % dashes.size()];
}

std::string gnuplot_head(const PictureLook& look) {
  // A PDF measures letters and lines in points.
  constexpr double pixels_per_inch = 96;
  constexpr double points_per_pixel = 72 / pixels_per_inch;
  const std::string font = gnuplot_text(fmt::format("{},{}", look.font, look.font_size));
  return fmt::format(
      "# Prints a picture: gnuplot this_file > picture.svg\n"
      "# and a PDF: gnuplot -e \"format = 'pdf'\" this_file > picture.pdf\n"
      "if (!exists('format')) format = 'svg'\n"
      "if (format eq 'pdf') set terminal pdfcairo size {:.3f}in,{:.3f}in noenhanced font {} "
      "fontscale {} linewidth 3 rounded; else set terminal svg size {},{} noenhanced font {} "
      "background 'white'\n"
      "set encoding utf8\n"
      "set border 3 linecolor rgb '#606060'\n"
      "set tics nomirror textcolor rgb '#303030'\n",
      look.width / pixels_per_inch, look.height / pixels_per_inch, font, points_per_pixel,
      look.width, look.height, font);
}

}  // namespace flitwave
