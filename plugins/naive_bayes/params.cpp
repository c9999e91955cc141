#include "params.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

#include "../level_names.h"
#include "../number_text.h"
#include "crossfold_plugin.hpp"

namespace crossfold::bundled {
namespace {

std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::string Quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

[[noreturn]] void Refuse(const std::string& finding) {
  throw plugin::Error(CF_E_INVALID_ARGUMENT, "columns: " + finding);
}

NumericKind KindNamed(std::string_view name) {
  std::string known;
  for (std::size_t k = 0; k < kNumericKindNames.size(); ++k) {
    if (name == kNumericKindNames[k]) return static_cast<NumericKind>(k);
    known += std::string(k == 0 ? "" : ", ") + kNumericKindNames[k];
  }
  Refuse("unknown kind " + Quoted(name) + "; known: " + known);
}

std::size_t FeatureNamed(const plugin::FeatureView& rows, std::string_view name) {
  for (std::int64_t j = 0; j < rows.num_features(); ++j) {
    if (rows.name(j) == name) return static_cast<std::size_t>(j);
  }
  Refuse("there is no feature " + Quoted(name));
}

}  // namespace

std::vector<std::optional<NumericKind>> ColumnKinds(const plugin::FeatureView& rows,
                                                    NumericKind numeric, std::string_view columns) {
  std::vector<std::optional<NumericKind>> kinds(static_cast<std::size_t>(rows.num_features()));
  for (std::size_t j = 0; j < kinds.size(); ++j) {
    const auto feature = static_cast<std::int64_t>(j);
    const bool levels = HasLevels(rows, feature);
    if (!levels) kinds[j] = numeric;
  }
  std::vector<bool> seen(kinds.size());
  for (std::string_view rest = columns; !Trimmed(rest).empty();) {
    const std::size_t comma = rest.find(',');
    const std::string_view item = Trimmed(rest.substr(0, comma));
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    const std::size_t equals = item.rfind('=');
    if (equals == std::string_view::npos) Refuse(Quoted(item) + " is not FEATURE=KIND");
    const std::string_view name = Trimmed(item.substr(0, equals));
    const std::size_t j = FeatureNamed(rows, name);
    const NumericKind kind = KindNamed(Trimmed(item.substr(equals + 1)));
    if (rows.is_categorical(static_cast<std::int64_t>(j))) {
      Refuse("feature " + Quoted(name) + " is categorical, so its kind cannot be chosen");
    }
    if (seen[j]) Refuse("feature " + Quoted(name) + " is named twice");
    seen[j] = true;
    kinds[j] = kind;
  }
  return kinds;
}

void RefuseBadPriors(const BayesParams& params, std::size_t n_classes) {
  if (params.prior != PriorRule::kGiven) return;
  if (params.priors.size() != n_classes) {
    throw plugin::Error(CF_E_INVALID_ARGUMENT,
                        "priors has " + std::to_string(params.priors.size()) + " entries for " +
                            std::to_string(n_classes) + " classes");
  }
  double sum = 0;
  for (const double prior : params.priors) sum += prior;
  if (!(std::fabs(sum - 1) <= 1e-6)) {
    throw plugin::Error(CF_E_INVALID_ARGUMENT, "priors sums to " + NumberText(sum) + ", not to 1");
  }
}

ClassPriors PriorsOf(const BayesParams& params, std::span<const double> class_weights) {
  const std::size_t n_classes = class_weights.size();
  ClassPriors priors{std::vector<double>(n_classes), std::vector<double>(n_classes)};
  bool any = false;
  double total = 0;
  for (std::size_t c = 0; c < n_classes; ++c) {
    if (class_weights[c] < 0) {
      throw plugin::Error(CF_E_INVALID_ARGUMENT, "the rows to remove are not in the model");
    }
    if (class_weights[c] == 0) continue;  // a class that the training rows lack is impossible
    any = true;
    if (params.prior == PriorRule::kLearned) priors.shares[c] = class_weights[c];
    if (params.prior == PriorRule::kUniform) priors.shares[c] = 1;
    if (params.prior == PriorRule::kGiven) priors.shares[c] = params.priors[c];
    total += priors.shares[c];
  }
  if (!any) {
    throw plugin::Error(CF_E_UNSUPPORTED_DATA, "the training rows have a total weight of 0");
  }
  if (!(total > 0)) {
    throw plugin::Error(CF_E_UNSUPPORTED_DATA,
                        "priors is 0 for every class that the training rows have");
  }
  for (std::size_t c = 0; c < n_classes; ++c) {
    priors.shares[c] /= total;
    priors.logs[c] = std::log(priors.shares[c]);
  }
  return priors;
}

}  // namespace crossfold::bundled
