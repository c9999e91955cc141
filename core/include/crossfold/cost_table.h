// The costs of wrong predictions by class name, for data whose classes are known later.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "crossfold/dataset.h"
#include "crossfold/plugin_host.h"

namespace crossfold {

struct CostTable {
  std::string name;  // of its file, for messages
  std::vector<std::string> truth;
  std::vector<std::string> predicted;
  std::vector<double> costs;  // truth x predicted, row-major
};

// Reads a CSV file: the first column names the true class of each row, and the header of every
// other column names the predicted class of its costs. The source "csv" among the plugins reads it.
// Throws Error, with every problem of its entries at once.
CostTable ReadCostTable(const std::filesystem::path& path, const PluginHost& plugins);

// The costs in the order of the data's classes. Throws an Error that lists every class that is
// unknown, missing or there twice.
CostMatrix ToCostMatrix(const CostTable& table, const Dataset& data);

}  // namespace crossfold
