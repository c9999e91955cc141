#include "linear_scores.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "number_text.h"

namespace crossfold::bundled {

void SaveNumbers(plugin::Writer& w, const double* numbers, Index n) {
  w.WriteSpan<double>(std::span<const double>(numbers, static_cast<std::size_t>(n)));
}

VectorXd LoadNumbers(plugin::Reader& r, Index n) {
  const std::vector<double> numbers = r.ReadVector<double>();
  VectorXd loaded = Eigen::Map<const VectorXd>(numbers.data(), static_cast<Index>(numbers.size()));
  if (loaded.size() != n || !AreFinite(loaded.data(), n)) {
    throw plugin::Error(CF_E_BAD_BLOB,
                        "the numbers of the saved model are too many, too few or not finite");
  }
  return loaded;
}

LinearScores::LinearScores(std::vector<std::string> features, VectorXd centre,
                           const MatrixXd& coefficients, VectorXd offsets)
    : features_(std::move(features)),
      centre_(std::move(centre)),
      coefficients_(coefficients),
      offsets_(std::move(offsets)) {
  if (!AreFinite(coefficients_.data(), coefficients_.size()) ||
      !AreFinite(offsets_.data(), offsets_.size()) || !AreFinite(centre_.data(), centre_.size())) {
    throw plugin::Error(CF_E_NUMERIC, "the coefficients exceed the range of numbers");
  }
}

void LinearScores::Score(std::span<const double> row, std::span<double> scores) const {
  const auto n_scores = scores.size();
  for (std::size_t k = 0; k < n_scores; ++k) scores[k] = offsets_[static_cast<Index>(k)];
  const double* coefficients = coefficients_.data();
  for (std::size_t j = 0; j < row.size(); ++j, coefficients += n_scores) {
    const double difference = row[j] - centre_[static_cast<Index>(j)];
    for (std::size_t k = 0; k < n_scores; ++k) scores[k] += difference * coefficients[k];
  }
}

OnnxValue LinearScores::AddOnnx(plugin::OnnxGraph& graph) const {
  const auto d = static_cast<std::size_t>(num_features()), k = static_cast<std::size_t>(size());
  const auto numbers = [](const auto& m) {
    return std::span<const double>(m.data(), static_cast<std::size_t>(m.size()));
  };
  const OnnxValue centred =
      graph.Node("Sub", {graph.Columns(), graph.Numbers(numbers(centre_), {1, d})});
  const OnnxValue products =
      graph.Node("MatMul", {centred, graph.Numbers(numbers(coefficients_), {d, k})});
  return graph.Node("Add", {products, graph.Numbers(numbers(offsets_), {1, k})});
}

void LinearScores::Importance(const VectorXd& sds, std::span<double> out) const {
  for (Index j = 0; j < num_features(); ++j) {
    out[static_cast<std::size_t>(j)] = coefficients_.row(j).cwiseAbs().mean() * sds[j];
  }
}

std::string LinearScores::Text(Index k, const std::string& name) const {
  double intercept = offsets_[k];
  for (Index j = 0; j < num_features(); ++j) intercept -= centre_[j] * coefficients_(j, k);
  std::string text = name + " = " + NumberText(intercept) + '\n';
  for (Index j = 0; j < num_features(); ++j) {
    const double coefficient = coefficients_(j, k);
    text += std::signbit(coefficient) ? "  - " : "  + ";
    text +=
        NumberText(std::abs(coefficient)) + " * [" + features_[static_cast<std::size_t>(j)] + "]\n";
  }
  return text;
}

void LinearScores::Save(plugin::Writer& w) const {
  w.Write(static_cast<std::uint64_t>(offsets_.size()));
  w.Write(static_cast<std::uint64_t>(features_.size()));
  for (const std::string& name : features_) w.WriteText(name);
  SaveNumbers(w, centre_.data(), centre_.size());
  SaveNumbers(w, coefficients_.data(), coefficients_.size());
  SaveNumbers(w, offsets_.data(), offsets_.size());
}

LinearScores LinearScores::Load(plugin::Reader& r) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 31;  // their product is an Index
  LinearScores scores;
  const auto n_scores = static_cast<Index>(r.ReadWithin<std::uint64_t>(0, kMost));
  const auto n_features = r.ReadWithin<std::uint64_t>(0, kMost);
  for (std::uint64_t j = 0; j < n_features; ++j) scores.features_.push_back(r.ReadText());
  const auto d = static_cast<Index>(n_features);
  scores.centre_ = LoadNumbers(r, d);
  const VectorXd coefficients = LoadNumbers(r, d * n_scores);
  scores.coefficients_ = Eigen::Map<const RowMatrix>(coefficients.data(), d, n_scores);
  scores.offsets_ = LoadNumbers(r, n_scores);
  return scores;
}

}  // namespace crossfold::bundled
