// testbenches/waves/files/fst_file.cpp: see fst_file.hpp.
// SPDX-License-Identifier: Apache-2.0
// [compiled alone]
#include "testbenches/waves/files/fst_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <sstream>
#include <unistd.h>

#include <fmt/format.h>

#include "configs/error.hpp"
#include "testbenches/waves/files/fst_system.hpp"
#include "testbenches/waves/files/threaded_file.hpp"
#include "testbenches/waves/files/vcd_file.hpp"

#ifdef FLITWAVE_FSTAPI
#include <gtkwave/fstapi.h>
#endif

namespace flitwave {

namespace {

[[noreturn]] void throw_unreadable(const std::string& path) {
  throw SystemFailure(path + " is no FST file of a run; run the job again");
}

}  // namespace

#ifdef FLITWAVE_FSTAPI

namespace {

/// By GTKWave's writer.
///
/// It compresses blocks of changes, and writes what it knows of the variables at the end, so that
/// the size of the file is not known while changes are added. A block ends when it could exceed the
/// limit if it were not compressed; the next one is for the space that compression has left, until
/// little of it remains.
class FstFile final : public WaveFile, private VariableVisitor {
 public:
  FstFile(std::string path, std::int64_t limit, const std::vector<WaveVariable>& variables,
          const WaveNames& names, const std::string& comment);
  ~FstFile() override;

  ValueSink* begin_step(std::int64_t time) override {
    time_ = time;
    is_time_written_ = false;
    return full_ ? nullptr : this;
  }
  void begin_values(const char* command) override;
  void end_values() override {}
  using WaveFile::change;
  void change(std::size_t first, const std::uint64_t* values, std::uint64_t which) override;
  void make_unknown(std::size_t variable) override;
  bool end_step() override;
  bool full() const override { return full_; }
  void close(std::int64_t time) override;
  std::int64_t last_time() const override { return last_; }

 private:
  // Unit: byte
  static constexpr std::int64_t time_size = 9;   // of a step, at most
  static constexpr std::int64_t place_size = 5;  // of a change in its block, at most

  void enter(const std::string& scope) override;
  void leave() override;
  void declare(const WaveVariable& variable) override;
  fstEnumHandle table_of(const WaveVariable& variable);
  void require_written();
  void write_time();
  void end_block();
  void repeat_first();
  std::int64_t space() const;
  void emit(fstHandle handle, const char* end);

  struct Variable {
    fstHandle handle;
    std::uint32_t width;  // 0: a text
    std::int64_t size;    // of a change but a text's, at most; unit: byte
  };

  std::string path_;
  void* writer_;
  WaveNames names_;
  PacketTexts packets_;
  std::string text_;                     // of a packet
  std::map<int, fstEnumHandle> tables_;  // by place in names_
  std::vector<Variable> variables_;
  std::int64_t time_ = 0;
  std::int64_t last_ = -1;
  std::int64_t limit_;
  std::int64_t changes_ = 0;  // of the present block
  std::int64_t block_ = 0;    // changes of a block
  std::int64_t times_ = 0;    // of the present block
  bool block_ends_ = false;   // with the next time
  // Unit: byte
  std::int64_t declared_ = 1024;              // what follows the blocks, at most
  std::int64_t values_ = 0;                   // the initial values of a block, at most
  std::int64_t written_ = 0;                  // blocks
  std::int64_t pending_ = 0;                  // changes of the present block, at most
  std::optional<std::uint64_t> first_value_;  // of the first variable; none: unknown
  bool is_time_written_ = false;
  bool full_ = false;
};

/// The writer, whose errors are counted from now on.
void* create(const std::string& path) {
  fst::clear_error();
  void* const writer = fstWriterCreate(path.c_str(), 1);
  if (writer) return writer;
  errno = fst::error();
  fail_writing(path);
}

FstFile::FstFile(std::string path, std::int64_t limit, const std::vector<WaveVariable>& variables,
                 const WaveNames& names, const std::string& comment)
    : path_(std::move(path)),
      writer_(create(path_)),
      names_(names),
      packets_(names),
      limit_(limit) {
  text_.resize(packets_.longest());
  fstWriterSetPackType(writer_, FST_WR_PT_LZ4);
  fstWriterSetVersion(writer_, "flitwave");
  fstWriterSetDate(writer_, "");
  fstWriterSetTimescaleFromString(writer_, "1 ps");
  fstWriterSetComment(writer_, comment.c_str());
  visit(variables, *this);
  // The changes of a block are sorted by variables, which is fast while they fit into a cache. The
  // initial values of all variables precede each block. The writer ends blocks of 128 MB by itself.
  constexpr std::int64_t least_block = 1 << 17;
  constexpr std::int64_t greatest_block = 1 << 22;
  block_ =
      std::clamp(64 * static_cast<std::int64_t>(variables_.size()), least_block, greatest_block);
}

FstFile::~FstFile() {
  if (writer_) fstWriterClose(writer_);
}

void FstFile::enter(const std::string& scope) {
  declared_ += static_cast<std::int64_t>(scope.size()) + 8;
  fstWriterSetScope(writer_, FST_ST_VCD_MODULE, scope.c_str(), nullptr);
}

void FstFile::leave() { fstWriterSetUpscope(writer_); }

void FstFile::declare(const WaveVariable& variable) {
  if (variable.names >= 0) fstWriterEmitEnumTableRef(writer_, table_of(variable));
  const auto type = variable.packet ? FST_VT_GEN_STRING : FST_VT_VCD_WIRE;
  const auto width = variable.packet ? 0 : static_cast<std::uint32_t>(variable.width);
  const std::string name = variable.declared_name();
  declared_ += static_cast<std::int64_t>(name.size()) + 16;
  values_ += width;
  variables_.push_back({fstWriterCreateVar(writer_, type, FST_VD_IMPLICIT, width, name.c_str(), 0),
                        width, place_size + (width + 7) / 8});
}

/// The table of the names of its values.
fstEnumHandle FstFile::table_of(const WaveVariable& variable) {
  fstEnumHandle& table = tables_[variable.names];
  if (table != 0) return table;
  const WaveNames::List& list = names_.lists[index(variable.names)];
  const int width = variable.width;
  std::vector<std::string> values;
  for (std::size_t value = 0; value < list.names.size(); ++value)
    values.push_back(bits_text(value, width));
  for (const std::string& name : list.names)
    declared_ += static_cast<std::int64_t>(name.size()) + width + 2;
  std::vector<const char*> literals;
  std::vector<const char*> texts;
  for (std::size_t i = 0; i < values.size(); ++i) {
    literals.push_back(list.names[i].c_str());
    texts.push_back(values[i].c_str());
  }
  return table = fstWriterCreateEnumTable(
             writer_, list.title.c_str(), static_cast<std::uint32_t>(values.size()),
             static_cast<unsigned>(width), literals.data(), texts.data());
}

void FstFile::write_time() {
  if (is_time_written_) return;
  is_time_written_ = true;
  last_ = time_;
  fstWriterEmitTimeChange(writer_, static_cast<std::uint64_t>(time_));
  if (block_ends_) end_block();
  ++times_;
  pending_ += time_size;
}

/// The block before the present time has been written.
void FstFile::end_block() {
  require_written();
  std::error_code error;
  written_ = static_cast<std::int64_t>(std::filesystem::file_size(path_, error));
  if (error) {
    errno = error.value();
    fail_writing(path_);
  }
  block_ends_ = false;
  pending_ = 0;
  times_ = 0;
  full_ = space() < limit_ / 64;  // not worth another block
  repeat_first();
}

/// GTKWave's reader confuses variables in a block in which the first one does not change.
void FstFile::repeat_first() {
  if (first_value_)
    change(0, &*first_value_, 1);
  else
    make_unknown(0);
}

/// That is left for changes that are not compressed.
std::int64_t FstFile::space() const {
  return limit_ - declared_ - 2 * values_ - written_ - pending_;
}

void FstFile::begin_values(const char* command) {
  write_time();
  if (std::string(command) == "$dumpon") fstWriterEmitDumpActive(writer_, 1);
}

void FstFile::change(std::size_t first, const std::uint64_t* values, std::uint64_t which) {
  write_time();
  if (first == 0 && (which & 1) != 0) first_value_ = values[0];
  for (; which != 0; which &= which - 1, ++changes_) {
    const auto place = index(__builtin_ctzll(which));
    const Variable& variable = variables_[first + place];
    pending_ += variable.size;
    if (variable.width > 0)
      fstWriterEmitValueChange64(writer_, variable.handle, variable.width, values[place]);
    else
      emit(variable.handle, packets_.write(text_.data(), values[place]));
  }
}

/// The text of a packet until `end`.
void FstFile::emit(fstHandle handle, const char* end) {
  pending_ += end - text_.data();
  fstWriterEmitVariableLengthValueChange(writer_, handle, text_.data(),
                                         static_cast<std::uint32_t>(end - text_.data()));
}

void FstFile::make_unknown(std::size_t variable) {
  write_time();
  const Variable& its = variables_[variable];
  pending_ += its.size;
  if (its.width == 0) {
    text_[0] = 'x';
    return emit(its.handle, text_.data() + 1);
  }
  const std::string unknown(its.width, 'x');
  fstWriterEmitValueChange(writer_, its.handle, unknown.c_str());
}

bool FstFile::end_step() {
  constexpr std::int64_t least_times = 3;  // of a block; the writer ends none before
  if (times_ >= least_times && (changes_ >= block_ || space() <= 0)) {
    fstWriterFlushContext(writer_);
    block_ends_ = true;
    changes_ = 0;
  }
  return !full_;
}

void FstFile::close(std::int64_t time) {
  if (!full_ && time > last_) {
    time_ = time;
    is_time_written_ = false;
    write_time();
  }
  fstWriterClose(writer_);
  writer_ = nullptr;
  require_written();
}

/// Throws: SystemFailure if something could not be written.
void FstFile::require_written() {
  if (fst::error() == 0) return;
  errno = fst::error();
  fail_writing(path_);
}

}  // namespace

void require_fst() {}

void convert_to_vcd(const std::string& path, const std::string& vcd) {
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
    void operator()(void* reader) const { fstReaderClose(reader); }
  };
  const std::unique_ptr<void, Closer> reader(fstReaderOpen(path.c_str()));
  if (!reader) throw_unreadable(path);
  std::unique_ptr<std::FILE, Closer> file(std::fopen(vcd.c_str(), "wb"));
  if (!file) fail_writing(vcd);
  if (fstReaderProcessHier(reader.get(), file.get()) == 0) throw_unreadable(path);
  fstReaderSetFacProcessMaskAll(reader.get());  // of the variables found before
  if (fstReaderIterBlocks(reader.get(), nullptr, nullptr, file.get()) == 0) throw_unreadable(path);
  const bool failed = std::ferror(file.get()) != 0;
  if (std::fclose(file.release()) != 0 || failed) fail_writing(vcd);
}

std::unique_ptr<WaveFile> open_fst(const std::string& path, std::int64_t limit,
                                   const std::vector<WaveVariable>& variables,
                                   const WaveNames& names, const std::string& comment) {
  return written_by_thread(std::make_unique<FstFile>(path, limit, variables, names, comment));
}

#else

namespace {

bool has_program(const char* name) {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (access((folder + "/" + name).c_str(), X_OK) == 0) return true;
  return false;
}

void require_program(const char* name, const char* part) {
  if (has_program(name)) return;
  throw ConfigError(
      "wave.format",
      fmt::format("this program was built without a {} of FST, and there is no {}", part, name),
      "install the package gtkwave, or verilator and zlib1g-dev and build again; or "
      "use format: vcd");
}

/// The text in quotes for a shell.
std::string shell_quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace

void require_fst() { require_program("vcd2fst", "writer"); }

void convert_to_vcd(const std::string& path, const std::string& vcd) {
  require_program("fst2vcd", "reader");
  const std::string command =
      "fst2vcd -f " + shell_quoted(path) + " -o " + shell_quoted(vcd) + " >/dev/null 2>&1";
  if (std::system(command.c_str()) != 0) throw_unreadable(path);
}

std::unique_ptr<WaveFile> open_fst(const std::string& path, std::int64_t limit,
                                   const std::vector<WaveVariable>& variables,
                                   const WaveNames& names, const std::string& comment) {
  require_fst();
  const std::string command = "vcd2fst -v - -f " + shell_quoted(path) + " >/dev/null";
  std::FILE* const pipe = popen(command.c_str(), "w");
  if (!pipe) fail_writing(path);
  return std::make_unique<VcdFile>(path, pipe, limit, variables, names, comment);
}

#endif

}  // namespace flitwave
