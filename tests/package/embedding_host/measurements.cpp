#include "measurements.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <stdexcept>

namespace {

std::vector<std::string> Fields(const std::string& line) {
  std::vector<std::string> fields(1);
  for (const char c : line) {
    if (c == ',') {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

double Number(const std::string& text) {
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace

std::shared_ptr<const Measurements> ReadMeasurements(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line)) throw std::runtime_error("cannot read " + path);
  auto flowers = std::make_shared<Measurements>();
  flowers->names = Fields(line);
  flowers->names.pop_back();
  flowers->numbers.resize(flowers->names.size());
  while (std::getline(file, line)) {
    const std::vector<std::string> fields = Fields(line);
    for (std::size_t c = 0; c < flowers->numbers.size(); ++c) {
      flowers->numbers[c].push_back(Number(fields[c]));
    }
    auto& known = flowers->species_names;
    const auto place = std::find(known.begin(), known.end(), fields.back());
    flowers->species.push_back(static_cast<std::int32_t>(place - known.begin()));
    if (place == known.end()) known.push_back(fields.back());
  }
  return flowers;
}

//###begin lend
std::shared_ptr<const crossfold::Dataset> ToDataset(std::shared_ptr<const Measurements> flowers) {
  std::vector<crossfold::Column> columns;
  for (std::size_t c = 0; c < flowers->numbers.size(); ++c) {
    crossfold::Column column;
    column.name = flowers->names[c];
    column.dtype = CF_F64;
    column.data = flowers->numbers[c].data();
    columns.push_back(column);
  }
  crossfold::Column species;
  species.name = "species";
  species.dtype = CF_CAT32;
  species.data = flowers->species.data();
  species.levels = flowers->species_names;
  columns.push_back(species);
  for (crossfold::Column& column : columns) {
    column.n_rows = static_cast<std::int64_t>(flowers->species.size());
    column.owner = flowers;  // keeps the memory alive
  }
  crossfold::Roles roles;
  roles.target = "species";
  return crossfold::Dataset::Create("flowers", std::move(columns), roles);
}
//###end lend
