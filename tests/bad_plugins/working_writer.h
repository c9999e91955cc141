// A source with no defect that writes, too: tables of doubles. A file is the word TABLE1, and for
// every column its name, the number of rows and that many doubles as hexadecimal texts, each on a
// line. The bad writers start from it and break it in one place.
#pragma once

#include <algorithm>
#include <array>
#include <crossfold_plugin.hpp>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace working {

namespace cf = crossfold::plugin;

struct NamedNumbers {
  std::string name;
  std::vector<double> numbers;
};

[[noreturn]] inline void Refuse(const char* finding) {
  throw cf::Error(CF_E_UNSUPPORTED_DATA, finding);
}

inline double NumberOf(const std::string& line) {
  char* end = nullptr;
  const double number = std::strtod(line.c_str(), &end);
  if (line.empty() || end != line.c_str() + line.size()) Refuse("a line is not a number");
  return number;
}

inline void AddNamed(std::vector<NamedNumbers>& columns, const std::string& name) {
  const auto is_letter = [](unsigned char c) { return c >= ' ' && c < 0x7F; };
  if (name.empty() || !std::all_of(name.begin(), name.end(), is_letter)) {
    Refuse("a name is not one");
  }
  for (const NamedNumbers& column : columns) {
    if (column.name == name) Refuse("two columns have one name");
  }
  columns.push_back({name, {}});
}

inline std::vector<NamedNumbers> Read(const std::string& path, const cf::Context& context) {
  std::ifstream file(path);
  std::string line;
  if (!file || !std::getline(file, line)) throw cf::Error(CF_E_IO, "it cannot be read");
  if (line != "TABLE1") Refuse("it does not begin with TABLE1");
  std::vector<NamedNumbers> columns;
  while (std::getline(file, line)) {
    context.Progress(0);
    AddNamed(columns, line);
    std::vector<double>& numbers = columns.back().numbers;
    if (!std::getline(file, line)) Refuse("it ends too early");
    for (double n = NumberOf(line); n > 0; --n) {
      if (!std::getline(file, line)) Refuse("it ends too early");
      numbers.push_back(NumberOf(line));
    }
    if (numbers.size() != columns.front().numbers.size()) Refuse("its columns differ in length");
  }
  return columns;
}

// All columns of the stream, before a file is made.
inline std::vector<NamedNumbers> Take(ArrowArrayStream& stream, const cf::Context& context) {
  std::vector<NamedNumbers> columns;
  ArrowSchema schema{};
  if (stream.get_schema(&stream, &schema) != 0) throw cf::Error(CF_E_IO, "there are no columns");
  bool is_right = true;
  for (std::int64_t i = 0; i < schema.n_children; ++i) {
    columns.push_back({schema.children[i]->name, {}});
    is_right = is_right && std::string(schema.children[i]->format) == "g";
  }
  schema.release(&schema);
  if (!is_right) throw cf::Error(CF_E_UNSUPPORTED_DATA, "only columns of doubles can be written");
  for (;;) {
    context.Progress(0);
    ArrowArray array{};
    if (stream.get_next(&stream, &array) != 0)
      throw cf::Error(CF_E_IO, "the columns end too early");
    if (array.release == nullptr) return columns;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const ArrowArray& child = *array.children[i];
      const auto* numbers = static_cast<const double*>(child.buffers[1]) + child.offset;
      columns[i].numbers.insert(columns[i].numbers.end(), numbers, numbers + child.length);
    }
    array.release(&array);
  }
}

inline void Write(const std::vector<NamedNumbers>& columns, const std::string& path) {
  std::ofstream file(path);
  file << "TABLE1\n";
  for (const NamedNumbers& column : columns) {
    file << column.name << '\n' << column.numbers.size() << '\n';
    for (const double number : column.numbers) {
      std::array<char, 40> text{};
      std::snprintf(text.data(), text.size(), "%a", number);
      file << text.data() << '\n';
    }
  }
  file.close();
  if (file) return;
  std::remove(path.c_str());
  throw cf::Error(CF_E_IO, "it cannot be written");
}

struct Writer {
  static constexpr std::array<const char*, 1> kEndings = {"table"};
  struct Params {};
  static constexpr auto kSchema = cf::Schema();

  static int Sniff(const cf::SourceInput& input) {
    return input.EndsWith(".table") ? CF_SNIFF_NAME : CF_SNIFF_NO;
  }
  static cf::Columns Open(const Params&, const cf::SourceInput& input, const cf::Context& context) {
    cf::Columns columns;
    for (NamedNumbers& column : Read(std::string(input.location()), context)) {
      columns.push_back(cf::SourceColumn::Doubles(column.name, std::move(column.numbers)));
    }
    return columns;
  }
};

}  // namespace working
