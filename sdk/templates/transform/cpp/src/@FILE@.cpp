// @NAME@: subtracts the mean of the training rows and divides by their standard deviation.
#include <cmath>
#include <crossfold_plugin.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace cf = crossfold::plugin;

struct @STRUCT@ {
  static constexpr cf::TransformInfo kInfo{
      .component = {.id = "@ID@",
                    .version = "0.1.0",
                    .title = "@NAME@",
                    .doc = "Subtracts from every numeric column the mean of the training rows and "
                           "divides by their standard deviation. Missing entries stay missing, "
                           "categories pass.",
                    .determinism = CF_DET_SEEDED | CF_DET_THREADS | CF_DET_UNSEEDED}};

  struct Params {
    bool scale = true;
  };
  static constexpr auto kSchema =
      cf::Schema(cf::Boolean("scale", &Params::scale, "Divide by the standard deviation."));

  // What is learned, one entry per feature: (x - shift) / divisor. Unused for categories.
  std::vector<double> shifts, divisors;

  static @STRUCT@ Fit(const Params& params, const cf::TrainingView& train, const cf::Context&) {
    @STRUCT@ fitted;
    for (std::int64_t j = 0; j < train.num_features(); ++j) {
      const double mean = MeanOf(train, j, [](double x) { return x; });
      const double variance = MeanOf(train, j, [&](double x) { return (x - mean) * (x - mean); });
      if (!std::isfinite(mean) || !std::isfinite(variance)) {
        throw cf::Error(CF_E_NUMERIC, "the entries of feature '" + std::string(train.name(j)) +
                                          "' are too large for a mean");
      }
      fitted.shifts.push_back(mean);
      fitted.divisors.push_back(params.scale && variance > 0 ? std::sqrt(variance) : 1);
    }
    return fitted;
  }

  // Apply gets only rows with this number of features.
  cf::ModelShape shape() const { return {.n_features = std::ssize(shifts)}; }

  void Apply(const cf::FeatureView& rows, cf::ColumnSink& out, const cf::Context&) const {
    for (std::int64_t j = 0; j < rows.num_features(); ++j) {
      if (rows.is_categorical(j)) {
        out.Pass(j);
        continue;
      }
      const std::span<double> column = out.AddNumeric(std::string(rows.name(j)));
      rows.CopyColumn(j, column);
      for (double& x : column) {  // a missing entry is NaN and stays NaN
        x = (x - shifts[std::size_t(j)]) / divisors[std::size_t(j)];
        if (std::isinf(x)) {
          throw cf::Error(CF_E_NUMERIC, "an entry of feature '" + std::string(rows.name(j)) +
                                            "' is too large to be divided by the deviation");
        }
      }
    }
  }

  // Saving: model:save(path) of a pipeline needs it of every step.
  static constexpr std::uint32_t kFormatVersion = 1;
  void Save(cf::Writer& w) const {
    w.WriteSpan<double>(shifts);
    w.WriteSpan<double>(divisors);
  }
  static @STRUCT@ Load(cf::Reader& r) {
    @STRUCT@ loaded;
    loaded.shifts = r.ReadVector<double>();
    loaded.divisors = r.ReadVector<double>();
    if (loaded.shifts.size() != loaded.divisors.size()) {
      throw cf::Error(CF_E_BAD_BLOB, "the saved model does not have one divisor per feature");
    }
    return loaded;
  }

 private:
  // The weighted mean of value(x) over the present entries of a feature; 0 if there are none.
  template <class Value>
  static double MeanOf(const cf::TrainingView& train, std::int64_t j, Value value) {
    double sum = 0, total = 0;
    for (std::int64_t i = 0; i < train.num_rows(); ++i) {
      const double x = train.x(i, j);
      if (std::isnan(x) || train.weight(i) == 0) continue;
      sum += train.weight(i) * value(x);
      total += train.weight(i);
    }
    return total > 0 ? sum / total : 0;
  }
};

CROSSFOLD_PLUGIN("@ID@", "0.1.0", "@VENDOR@", "@LICENSE@", @STRUCT@)
