// What the example programs have in memory: flowers that they have measured, in columns of their
// own.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "crossfold/dataset.h"

struct Measurements {
  std::vector<std::string> names;            // of the numbers
  std::vector<std::vector<double>> numbers;  // by column
  std::vector<std::int32_t> species;         // by row: its place in species_names
  std::vector<std::string> species_names;
};

// Reads a file of numbers with the species in the last column.
std::shared_ptr<const Measurements> ReadMeasurements(const std::string& path);

// A dataset of these columns, with the species as its target. Nothing is copied: the dataset keeps
// the measurements alive.
std::shared_ptr<const crossfold::Dataset> ToDataset(std::shared_ptr<const Measurements> flowers);
