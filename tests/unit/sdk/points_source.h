// The source of docs/sources.md.
#pragma once

//###begin source
#include <array>
#include <crossfold_plugin.hpp>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace cf = crossfold::plugin;

// Files of points: a line "x y name" each.
struct Points {
  static constexpr std::array<const char*, 1> kEndings = {"points"};
  static constexpr cf::SourceInfo kInfo{
      .component = {.id = "org.example.points", .title = "Points"},
      .endings = kEndings,
      .promises = CF_SOURCE_READS_ONE_FILE};
  struct Params {
    double scale = 1;
  };
  static constexpr auto kSchema =
      cf::Schema(cf::Real("scale", &Params::scale, {.low = 0}, "Factor of both coordinates."));

  static int Sniff(const cf::SourceInput& input) {
    return input.EndsWith(".points") ? CF_SNIFF_NAME : CF_SNIFF_NO;
  }

  static cf::Columns Open(const Params& params, const cf::SourceInput& input,
                          const cf::Context& context) {
    std::ifstream file{std::string(input.location())};
    if (!file) throw cf::Error(CF_E_IO, "it cannot be opened");
    std::vector<double> x, y;
    std::vector<std::string> names;
    std::string name;
    for (double a = 0, b = 0; file >> a >> b >> name;) {
      context.Progress(0);
      x.push_back(a * params.scale);
      y.push_back(b * params.scale);
      names.push_back(name);
    }
    if (!file.eof()) {
      throw cf::Error(CF_E_UNSUPPORTED_DATA,
                      "line " + std::to_string(x.size() + 1) + " is not a point: write x y name");
    }
    return {cf::SourceColumn::Doubles("x", std::move(x)),
            cf::SourceColumn::Doubles("y", std::move(y)),
            cf::SourceColumn::Texts("name", names).WithRole("target")};
  }
};
//###end source
