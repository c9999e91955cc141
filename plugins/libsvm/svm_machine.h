// A trained machine of libsvm that owns its numbers, so that it can be moved and saved.
#pragma once

#include <libsvm/svm.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "../class_labels.h"
#include "../sparse_rows.h"
#include "crossfold_plugin.hpp"
#include "dense_kernel.h"

namespace crossfold::bundled {

using SvmNodes = SparseRows<svm_node>;

class SvmMachine {
 public:
  SvmMachine() = default;
  // The numbers of `trained` are copied; its support vectors are among `rows`, row by row, whose
  // kernel `parameter` has.
  SvmMachine(const svm_model& trained, const svm_parameter& parameter, std::span<const double> rows,
             std::size_t n_features)
      : model_(trained) {
    model_.param = parameter;
    const auto l = static_cast<std::size_t>(trained.l);
    for (std::size_t i = 0; i < l; ++i) {
      const auto row = static_cast<std::size_t>(trained.sv_indices[i] - 1);
      vectors_.AddRow(rows.subspan(row * n_features, n_features));
    }
    for (int k = 0; k + 1 < trained.nr_class; ++k) {
      coefficients_.insert(coefficients_.end(), trained.sv_coef[k], trained.sv_coef[k] + l);
    }
    rho_.assign(trained.rho, trained.rho + num_pairs());
    if (trained.probA != nullptr && classifies()) {
      prob_a_.assign(trained.probA, trained.probA + num_pairs());
      prob_b_.assign(trained.probB, trained.probB + num_pairs());
    }
    if (classifies()) {
      labels_.assign(trained.label, trained.label + trained.nr_class);
      counts_.assign(trained.nSV, trained.nSV + trained.nr_class);
    }
    Bind(n_features);
  }
  // libsvm points into the vectors, which keep their memory when they are moved.
  SvmMachine(SvmMachine&&) = default;
  SvmMachine& operator=(SvmMachine&&) = default;
  SvmMachine(const SvmMachine&) = delete;

  const svm_model& model() const { return model_; }
  // What svm_predict and its like take: with dense_vectors() it wants no row but the kernel between
  // it and the support vectors, in the nodes 1, 2, ...
  const svm_model& predictor() const { return predictor_; }
  // The support vectors, if dense arithmetic pays; otherwise no row.
  const PanelRows& dense_vectors() const { return dense_vectors_; }
  bool classifies() const {
    return model_.param.svm_type == C_SVC || model_.param.svm_type == NU_SVC;
  }
  bool has_probabilities() const { return !prob_a_.empty(); }
  std::size_t num_classes() const { return static_cast<std::size_t>(model_.nr_class); }
  std::size_t num_pairs() const { return num_classes() * (num_classes() - 1) / 2; }
  const std::vector<int>& labels() const { return labels_; }

  bool IsFinite() const {
    const auto all_finite = [](const std::vector<double>& numbers) {
      for (const double number : numbers) {
        if (!std::isfinite(number)) return false;
      }
      return true;
    };
    return all_finite(coefficients_) && all_finite(rho_) && all_finite(prob_a_) &&
           all_finite(prob_b_);
  }

  void Save(plugin::Writer& w) const {
    const svm_parameter& p = model_.param;
    w.Write(p.svm_type);
    w.Write(p.kernel_type);
    w.Write(p.degree);
    w.Write(p.gamma);
    w.Write(p.coef0);
    w.Write(model_.nr_class);
    w.WriteSpan<int>(labels_);
    w.WriteSpan<int>(counts_);
    w.WriteSpan<double>(rho_);
    w.WriteSpan<double>(prob_a_);
    w.WriteSpan<double>(prob_b_);
    w.WriteSpan<double>(coefficients_);
    w.Write(static_cast<std::uint64_t>(vectors_.size()));
    for (std::size_t i = 0; i < vectors_.size(); ++i) SaveRow(vectors_.row(i), w);
  }

  // `n_features`: no support vector may have more.
  static SvmMachine Load(plugin::Reader& r, std::int64_t n_features) {
    SvmMachine m;
    svm_parameter& p = m.model_.param;
    p.svm_type = r.ReadWithin<int>(C_SVC, NU_SVR);
    p.kernel_type = r.ReadWithin<int>(LINEAR, SIGMOID);
    p.degree = r.ReadWithin<int>(0, INT32_MAX);
    p.gamma = r.Read<double>();
    p.coef0 = r.Read<double>();
    m.model_.nr_class = r.ReadWithin<int>(2, kMaxClasses);
    m.labels_ = r.ReadVector<int>();
    m.counts_ = r.ReadVector<int>();
    m.rho_ = r.ReadVector<double>();
    m.prob_a_ = r.ReadVector<double>();
    m.prob_b_ = r.ReadVector<double>();
    m.coefficients_ = r.ReadVector<double>();
    const auto l = r.ReadWithin<std::uint64_t>(0, INT32_MAX);
    for (std::uint64_t i = 0; i < l; ++i) LoadRow(r, n_features, m.vectors_);
    if (p.svm_type == ONE_CLASS || !m.PartsFit()) {
      throw plugin::Error(CF_E_BAD_BLOB, "the parts of the saved machine do not fit together");
    }
    m.Bind(static_cast<std::size_t>(n_features));
    return m;
  }

 private:
  static constexpr int kMaxClasses = 1 << 15;

  static void SaveRow(const svm_node* row, plugin::Writer& w) {
    std::uint64_t n = 0;
    while (row[n].index != -1) ++n;
    w.Write(n);
    for (std::uint64_t k = 0; k < n; ++k) {
      w.Write(row[k].index);
      w.Write(row[k].value);
    }
  }
  static void LoadRow(plugin::Reader& r, std::int64_t n_features, SvmNodes& rows) {
    const auto n = r.ReadWithin<std::uint64_t>(0, static_cast<std::uint64_t>(n_features));
    std::vector<svm_node> row;
    int last = 0;
    for (std::uint64_t k = 0; k < n; ++k) {
      const int index = r.ReadWithin<int>(last + 1, static_cast<int>(n_features));
      row.push_back({index, r.Read<double>()});
      last = index;
    }
    row.push_back({-1, 0});
    rows.AddRow(row.data());
  }

  bool PartsFit() const {
    const bool probabilities_fit =
        prob_a_.size() == prob_b_.size() && (prob_a_.empty() || prob_a_.size() == num_pairs());
    if (rho_.size() != num_pairs() || !probabilities_fit ||
        coefficients_.size() != (num_classes() - 1) * vectors_.size()) {
      return false;
    }
    if (!classifies()) {
      return num_classes() == 2 && labels_.empty() && counts_.empty() && prob_a_.empty();
    }
    if (labels_.size() != num_classes() || counts_.size() != num_classes()) return false;
    std::uint64_t total = 0;
    for (const int count : counts_) {
      if (count < 0) return false;
      total += static_cast<std::uint64_t>(count);
    }
    return AreLabels(labels_, std::int64_t{1} << 31) && total == vectors_.size();
  }

  // Makes model_ and predictor_ point to the vectors.
  void Bind(std::size_t n_features) {
    pointers_ = vectors_.Pointers();
    coefficient_rows_.clear();
    for (std::size_t k = 0; k + 1 < num_classes(); ++k) {
      coefficient_rows_.push_back(coefficients_.data() + k * vectors_.size());
    }
    svm_parameter param{};
    param.svm_type = model_.param.svm_type;
    param.kernel_type = model_.param.kernel_type;
    param.degree = model_.param.degree;
    param.gamma = model_.param.gamma;
    param.coef0 = model_.param.coef0;
    model_.param = param;
    model_.l = static_cast<int>(vectors_.size());
    model_.SV = pointers_.data();
    model_.sv_coef = coefficient_rows_.data();
    model_.rho = rho_.data();
    model_.probA = prob_a_.empty() ? nullptr : prob_a_.data();
    model_.probB = prob_b_.empty() ? nullptr : prob_b_.data();
    model_.sv_indices = nullptr;
    model_.label = labels_.data();
    model_.nSV = counts_.data();
    model_.free_sv = 0;
    predictor_ = model_;
    if (n_features > 0 && IsDense(vectors_.num_nodes(), n_features * vectors_.size())) {
      BindDense(n_features);
    }
  }

  void BindDense(std::size_t n_features) {
    const std::size_t l = vectors_.size();
    dense_vectors_ = PanelRows(l, n_features);
    places_.clear();
    for (std::size_t i = 0; i < l; ++i) {
      for (const svm_node* node = vectors_.row(i); node->index != -1; ++node) {
        dense_vectors_.Set(i, static_cast<std::size_t>(node->index) - 1, node->value);
      }
      places_.push_back({0, static_cast<double>(i + 1)});
    }
    place_pointers_.clear();
    for (svm_node& place : places_) place_pointers_.push_back(&place);
    predictor_.param.kernel_type = PRECOMPUTED;
    predictor_.SV = place_pointers_.data();
  }

  svm_model model_{}, predictor_{};
  SvmNodes vectors_;
  std::vector<svm_node*> pointers_;
  PanelRows dense_vectors_;
  std::vector<svm_node> places_;  // the node of each support vector in what predictor_ takes
  std::vector<svm_node*> place_pointers_;
  std::vector<double> coefficients_;  // nr_class - 1 rows, one number a support vector
  std::vector<double*> coefficient_rows_;
  std::vector<double> rho_, prob_a_, prob_b_;
  std::vector<int> labels_, counts_;
};

}  // namespace crossfold::bundled
