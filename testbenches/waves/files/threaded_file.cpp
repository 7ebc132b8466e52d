// testbenches/waves/files/threaded_file.cpp: see threaded_file.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/waves/files/threaded_file.hpp"

#include <condition_variable>
#include <csignal>
#include <cstring>
#include <exception>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "configs/error.hpp"

namespace flitwave {

namespace {

/// What is called, in the lowest bits of a word of a batch.
enum Call : std::uint64_t { step_begins, step_ends, values_begin, values_end, unknown, changes };
constexpr int call_bits = 3;

constexpr std::uint64_t word_of(Call call, std::uint64_t argument = 0) {
  return argument << call_bits | call;
}

/// Calls, each as a word, and the words that it needs.
struct Batch {
  std::vector<std::uint64_t> words;
  std::size_t used = 0;  // words
  bool full = false;     // the file, after its last call

  /// Space for words that follow, at most `count`; those that are written are added to `used`.
  std::uint64_t* space(std::size_t count) {
    if (used + count > words.size()) words.resize(2 * (used + count));
    return words.data() + used;
  }
};

/// Repeats the calls of a batch. Throws: as the file
void repeat(const Batch& batch, WaveFile& file, ValueSink*& sink) {
  const std::uint64_t* word = batch.words.data();
  for (const std::uint64_t* const end = word + batch.used; word != end;) {
    const std::uint64_t argument = *word >> call_bits;
    switch (static_cast<Call>(*word++ & ((1 << call_bits) - 1))) {
      case step_begins:
        sink = file.begin_step(static_cast<std::int64_t>(*word++));
        break;
      case step_ends:
        if (sink) file.end_step();
        sink = nullptr;
        break;
      case values_begin:
        if (sink) file.begin_values(argument == 0 ? "$dumpvars" : "$dumpon");
        break;
      case values_end:
        if (sink) file.end_values();
        break;
      case unknown:
        if (sink) file.make_unknown(argument);
        break;
      case changes: {
        const std::uint64_t which = *word++;
        std::uint64_t values[64];
        for (std::uint64_t rest = which; rest != 0; rest &= rest - 1)
          values[__builtin_ctzll(rest)] = *word++;
        if (sink) sink->change(argument, values, which);
        break;
      }
    }
  }
}

class ThreadedFile final : public WaveFile {
 public:
  explicit ThreadedFile(std::unique_ptr<WaveFile> file);
  ~ThreadedFile() override { end_thread(); }

  ValueSink* begin_step(std::int64_t time) override {
    if (full_) return nullptr;
    put(word_of(step_begins));
    put(static_cast<std::uint64_t>(time));
    return this;
  }
  void begin_values(const char* command) override {
    put(word_of(values_begin, std::strcmp(command, "$dumpon") == 0 ? 1 : 0));
  }
  void end_values() override { put(word_of(values_end)); }
  void make_unknown(std::size_t variable) override { put(word_of(unknown, variable)); }
  using WaveFile::change;
  void change(std::size_t first, const std::uint64_t* values, std::uint64_t which) override {
    Batch& batch = filled();
    std::uint64_t* const begin = batch.space(2 + 64);
    std::uint64_t* word = begin;
    *word++ = word_of(changes, first);
    *word++ = which;
    for (; which != 0; which &= which - 1) *word++ = values[__builtin_ctzll(which)];
    batch.used += static_cast<std::size_t>(word - begin);
  }
  bool end_step() override {
    put(word_of(step_ends));
    if (filled().used >= batch_words) pass_on();
    return !full_;
  }
  bool full() const override { return full_; }
  void close(std::int64_t time) override;
  std::int64_t last_time() const override { return file_->last_time(); }

 private:
  static constexpr std::size_t batch_words = 1 << 15;
  static constexpr std::size_t batches = 16;  // one is filled, the others wait or are written

  Batch& filled() { return batches_[passed_ % batches]; }
  void put(std::uint64_t word) {
    Batch& batch = filled();
    *batch.space(1) = word;
    ++batch.used;
  }
  void pass_on();
  void write();
  void end_thread();

  std::unique_ptr<WaveFile> file_;
  std::vector<Batch> batches_{batches};
  bool full_ = false;  // as of the batches whose place has been used again
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t passed_ = 0;    // batches; guarded, as are all that follow
  std::size_t written_ = 0;   // batches
  bool ends_ = false;         // no batch follows
  std::exception_ptr error_;  // of the file
  std::thread thread_;
};

ThreadedFile::ThreadedFile(std::unique_ptr<WaveFile> file) : file_(std::move(file)) {
  // Signals are for the thread of the simulation.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::string refusal;
  try {
    thread_ = std::thread([this] { write(); });
  } catch (const std::system_error& error) {
    refusal = error.what();
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (!refusal.empty())
    throw SystemFailure("a thread that writes the wave cannot be started: " + refusal +
                        "; use wave.format: vcd, which needs none");
}

/// Passes the filled batch on, and takes the place of one that has been written.
void ThreadedFile::pass_on() {
  std::unique_lock<std::mutex> lock(mutex_);
  ++passed_;
  changed_.notify_all();
  changed_.wait(lock, [this] { return passed_ - written_ < batches || error_; });
  if (error_) std::rethrow_exception(error_);
  full_ = full_ || filled().full;
  filled().used = 0;
}

/// The thread writes batches until they end.
void ThreadedFile::write() {
  ValueSink* sink = nullptr;  // of a step that began in the batch before
  std::unique_lock<std::mutex> lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return written_ < passed_ || ends_; });
    if (written_ == passed_ || error_) return;
    Batch& batch = batches_[written_ % batches];
    lock.unlock();
    std::exception_ptr error;
    try {
      repeat(batch, *file_, sink);
      batch.full = file_->full();
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    error_ = error;
    ++written_;
    changed_.notify_all();
  }
}

void ThreadedFile::end_thread() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ends_ = true;
    changed_.notify_all();
  }
  thread_.join();
}

void ThreadedFile::close(std::int64_t time) {
  pass_on();
  end_thread();
  if (error_) std::rethrow_exception(error_);
  full_ = file_->full();
  file_->close(time);
}

}  // namespace

std::unique_ptr<WaveFile> written_by_thread(std::unique_ptr<WaveFile> file) {
  return std::make_unique<ThreadedFile>(std::move(file));
}

}  // namespace flitwave
