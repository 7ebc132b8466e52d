// configs/input_file.cpp: see input_file.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "configs/input_file.hpp"

#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

namespace flitwave {

InputFile Codec<InputFile>::read(const ConfigNode& node) {
  const std::string text = Codec<std::string>::read(node);
  if (text.empty()) return {};
  const std::filesystem::path folder = std::filesystem::path(node.place().file).parent_path();
  return {(folder / text).lexically_normal().string()};
}

std::string Codec<InputFile>::print(const InputFile& value) {
  if (value.path.empty()) return Codec<std::string>::print("");
  return Codec<std::string>::print(std::filesystem::absolute(value.path).string());
}

ValueType Codec<InputFile>::type() { return {"file", "", R"({"type":"string"})"}; }

// Reading stops at most_bytes, since a device may have no end.
std::string contents_of(const InputFile& file, const std::string& key) {
  std::ifstream in(file.path, std::ios::binary);
  std::string text;
  std::vector<char> chunk(1 << 16);
  std::error_code ignored;
  bool readable = in && !std::filesystem::is_directory(file.path, ignored);
  while (readable && in && text.size() <= InputFile::most_bytes) {
    in.read(chunk.data(), static_cast<std::streamsize>(chunk.size()));
    text.append(chunk.data(), static_cast<std::size_t>(in.gcount()));
  }
  readable = readable && !in.bad();
  if (!readable)
    throw ConfigError(key, "cannot read " + detail::in_quotes(file.path),
                      "name a file that exists; a relative path starts at the job's folder");
  if (text.size() > InputFile::most_bytes)
    throw ConfigError(key,
                      detail::in_quotes(file.path) + " has more than " +
                          std::to_string(InputFile::most_bytes >> 20) + " MiB",
                      "use a shorter file");
  return text;
}

std::int64_t WordLine::number(std::size_t word, const std::string& what) const {
  const std::string& text = words[word];
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  if (result.ec != std::errc() || result.ptr != end)
    throw error(detail::in_quotes(text) + " is not a valid " + what,
                result.ec == std::errc::result_out_of_range ? "write an integer below 2^63"
                                                            : "write an integer");
  return value;
}

ConfigError WordLine::error(std::string problem, std::string remedy) const {
  return {place, "", std::move(problem), std::move(remedy)};
}

void for_each_line(const InputFile& file, const std::string& key, WordCount words,
                   const std::string& form, const std::function<void(const WordLine&)>& visit) {
  std::istringstream text(contents_of(file, key));
  WordLine line;
  line.place = {file.path, 0, 1};
  for (std::string written; std::getline(text, written);) {
    ++line.place.line;
    line.words.clear();
    std::istringstream rest(written.substr(0, written.find('#')));
    for (std::string word; rest >> word;) line.words.push_back(word);
    if (line.words.empty()) continue;
    if (line.words.size() < words.least || line.words.size() > words.most)
      throw line.error(std::to_string(line.words.size()) + " words in a line",
                       "write `" + form + "`");
    visit(line);
  }
}

}  // namespace flitwave
