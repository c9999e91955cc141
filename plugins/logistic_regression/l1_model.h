// The quadratic model of the log-losses plus the exact penalty on absolute values.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "log_loss_sum.h"
#include "penalised_model.h"
#include "preconditioner.h"

namespace crossfold::bundled {

// The derivative of a smooth function plus l1[j] |v_j|_1, given that of the smooth part; where a
// coefficient is 0 under l1, the one-sided derivative of the side that leads down, else 0. It is
// the subgradient of the smallest length: 0 at the minimum only.
inline MatrixXd LeastSubgradient(MatrixXd smooth, const VectorXd& l1, const MatrixXd& v) {
  for (Index k = 0; k < smooth.cols(); ++k) {
    for (Index j = 0; j < smooth.rows(); ++j) {
      double& s = smooth(j, k);
      if (v(j, k) != 0) {
        s += std::copysign(l1[j], v(j, k));
      } else {
        s = s > l1[j] ? s - l1[j] : s < -l1[j] ? s + l1[j] : 0;
      }
    }
  }
  return smooth;
}

// As a function of the coefficients v, near w, with the derivatives g and H of the log-losses and
// l2 at w and the diagonal D of H:
//   g . (v - w) + (v - w) . (H + damping D) (v - w) / 2 + l1 |v|
// It has a minimum also where H is singular: for more than two classes (a number added to a
// feature's coefficients of all scores changes no probability) and for dependent features.
class L1Model {
 public:
  // `columns` are loss.z(), column by column. All but w must live as long as the model.
  // REQUIRES: `loss` was evaluated at w.
  L1Model(const LogLossSum& loss, const MatrixXd& columns, const Penalty& penalty,
          const MatrixXd& w, double damping)
      : loss_(loss),
        columns_(columns),
        penalty_(penalty),
        w_(w),
        damping_(damping),
        preconditioner_(loss, penalty.l2, Extent::kEachScore, damping),
        bends_(preconditioner_.Bends(w.rows(), w.cols())),
        gradient_(loss.Gradient() + penalty.l2.asDiagonal() * w),
        v_(w),
        smooth_(gradient_) {
    ReadCurvature();
  }

  const MatrixXd& gradient() const { return gradient_; }  // g
  const MatrixXd& v() const { return v_; }

  // Lowers the model, starting from v = w, until its smallest subgradient has shrunk to `accuracy`.
  // False if it has not after kMostRounds.
  //
  // A round has two parts, neither of which can raise the model. Coordinate descent finds which
  // coefficients are 0, but is slow where features depend on each other. Conjugate gradients over
  // the others are fast there, but do not see where the penalty has its kinks.
  bool Minimise(double accuracy) {
    constexpr int kMostRounds = 200;
    const double enough =
        std::max(accuracy * LengthOf(Slope()), LengthOf(loss_.GradientRounding()));
    for (int round = 0; round < kMostRounds; ++round) {
      MatrixXd slope = Slope();
      if (LengthOf(slope) <= enough) return true;
      DescendByCoordinates(slope);
      slope = Slope();
      const double length = LengthOf(slope);
      if (length <= enough) return true;
      DescendByConjugates(slope, enough / length);
    }
    return LengthOf(Slope()) <= enough;
  }

 private:
  void ReadCurvature() {
    const Index n = columns_.rows(), n_scores = w_.cols();
    curvature_.resize(n, n_scores);
    if (n_scores > 1) shares_.resize(n, n_scores);
    for (Index i = 0; i < n; ++i) {
      for (Index k = 0; k < n_scores; ++k) {
        if (n_scores == 1) {
          curvature_(i, k) = loss_.Curvature(i, k);
        } else {
          shares_(i, k) = loss_.Share(i, k);
          curvature_(i, k) = loss_.weight(i) * shares_(i, k);
        }
      }
    }
  }

  bool IsFree(Index j, Index k) const { return v_(j, k) != 0 || penalty_.l1[j] == 0; }

  MatrixXd TimesSecond(const MatrixXd& direction) const {
    MatrixXd image = loss_.TimesSecond(direction) + penalty_.l2.asDiagonal() * direction;
    if (damping_ > 0) image += damping_ * bends_.cwiseProduct(direction);
    return image;
  }

  MatrixXd Slope() const { return LeastSubgradient(smooth_, penalty_.l1, v_); }
  // In units in which the second derivatives by single coefficients are 1.
  double LengthOf(const MatrixXd& slope) const {
    return std::sqrt((slope.array().square() / bends_.array()).sum());
  }
  void UpdateSmooth() { smooth_ = gradient_ + TimesSecond(v_ - w_); }

  // The best value of each coefficient in turn, given the others; those at 0 that nothing moves
  // away from there are left out.
  void DescendByCoordinates(const MatrixXd& slope) {
    const Index d = w_.rows(), n_scores = w_.cols();
    MatrixXd changes(columns_.rows(), n_scores);  // of the scores
    SetCrossProduct(loss_.z().transpose(), v_ - w_, changes);
    VectorXd means = VectorXd::Zero(columns_.rows());
    if (n_scores > 1) means = shares_.cwiseProduct(changes).rowwise().sum();
    for (Index j = 0; j < d; ++j) {
      bool is_moved = false;
      for (Index k = 0; k < n_scores; ++k) {
        if (v_(j, k) == 0 && slope(j, k) == 0) continue;
        const double step = BestOf(j, k, changes.col(k), means) - v_(j, k);
        if (step == 0) continue;
        is_moved = true;
        v_(j, k) += step;
        changes.col(k) += step * columns_.col(j);
        if (n_scores > 1) {
          means.array() += step * columns_.col(j).array() * shares_.col(k).array();
        }
      }
      if (is_moved && n_scores > 1 && penalty_.l1[j] > 0) Shift(j);
    }
    UpdateSmooth();
  }

  template <class Changes>
  double BestOf(Index j, Index k, const Changes& changes, const VectorXd& means) const {
    const double bend = bends_(j, k) * (1 + damping_);
    const double moved = v_(j, k) - w_(j, k);
    const double of_loss =
        w_.cols() == 1
            ? (columns_.col(j).array() * curvature_.col(k).array() * changes.array()).sum()
            : (columns_.col(j).array() * curvature_.col(k).array() *
               (changes.array() - means.array()))
                  .sum();
    const double slope =
        gradient_(j, k) + of_loss + (penalty_.l2[j] + damping_ * bends_(j, k)) * moved;
    const double aim = v_(j, k) - slope / bend, least = penalty_.l1[j] / bend;
    return aim > least ? aim - least : aim < -least ? aim + least : 0;
  }

  // Adds the best number to the coefficients of feature j for all scores, which changes no
  // log-loss: without l2 it makes their median 0. Descent by single coefficients would take long
  // for it.
  void Shift(Index j) {
    double smooth = 0, bend = 0, signs = 0, zeros = 0;
    for (Index k = 0; k < w_.cols(); ++k) {
      smooth += penalty_.l2[j] * v_(j, k) + damping_ * bends_(j, k) * (v_(j, k) - w_(j, k));
      bend += penalty_.l2[j] + damping_ * bends_(j, k);
      signs += v_(j, k) == 0 ? 0 : std::copysign(1.0, v_(j, k));
      zeros += v_(j, k) == 0 ? 1 : 0;
    }
    const double l1 = penalty_.l1[j], slope = smooth + l1 * signs;
    if (std::abs(slope) <= l1 * zeros) return;
    const double side = slope > 0 ? -1 : 1;
    kinks_.clear();
    for (Index k = 0; k < w_.cols(); ++k) AddKink(j, k, side);
    const double shift = side * FindLowest(side * slope + l1 * zeros, bend);
    for (Index k = 0; k < w_.cols(); ++k) v_(j, k) += shift;
    SettleAtKink();
  }

  // `slope` is the smallest subgradient at v.
  void DescendByConjugates(const MatrixXd& slope, double accuracy) {
    MatrixXd free(w_.rows(), w_.cols());
    for (Index k = 0; k < w_.cols(); ++k) {
      for (Index j = 0; j < w_.rows(); ++j) free(j, k) = IsFree(j, k) ? 1 : 0;
    }
    preconditioner_.Restrict(free);
    const MatrixXd step =
        SolveByConjugates(preconditioner_, slope.cwiseProduct(free), std::min(0.3 * accuracy, 0.1),
                          [&](const MatrixXd& direction) -> MatrixXd {
                            return TimesSecond(direction).cwiseProduct(free);
                          })
            .solution;
    kinks_.clear();
    for (Index k = 0; k < w_.cols(); ++k) {
      for (Index j = 0; j < w_.rows(); ++j) AddKink(j, k, step(j, k));
    }
    v_ += FindLowest(slope.cwiseProduct(step).sum(), step.cwiseProduct(TimesSecond(step)).sum()) *
          step;
    SettleAtKink();
    UpdateSmooth();
  }

  // Whether the coefficient passes 0 when it moves by multiples of `step`.
  void AddKink(Index j, Index k, double step) {
    const double l1 = penalty_.l1[j];
    if (l1 > 0 && v_(j, k) * step < 0) {
      kinks_.push_back({-v_(j, k) / step, j, k, 2 * l1 * std::abs(step)});
    }
  }

  // Finds and stores the place where the model is lowest along the direction, also past kinks;
  // `slope` and `bend` are those at its start.
  double FindLowest(double slope, double bend) {
    lowest_ = 0;
    if (!(slope < 0)) return lowest_;
    std::sort(kinks_.begin(), kinks_.end(), [](const Kink& a, const Kink& b) {
      return a.at != b.at ? a.at < b.at : a.k != b.k ? a.k < b.k : a.j < b.j;
    });
    for (const Kink& kink : kinks_) {
      const double before = slope + bend * (kink.at - lowest_);
      if (before >= 0) break;
      slope = before + kink.rise;
      lowest_ = kink.at;
      if (slope >= 0) return lowest_;
    }
    if (bend > 0) lowest_ -= slope / bend;
    return lowest_;
  }

  // A coefficient at its kink is set to exactly 0, because rounding may have changed it.
  void SettleAtKink() {
    for (const Kink& kink : kinks_) {
      if (kink.at == lowest_) v_(kink.j, kink.k) = 0;
    }
  }

  struct Kink {
    double at;  // how far along the direction
    Index j, k;
    double rise;  // of the slope
  };

  const LogLossSum& loss_;
  const MatrixXd& columns_;
  const Penalty& penalty_;
  MatrixXd w_;
  double damping_;
  Preconditioner preconditioner_;
  MatrixXd bends_;      // D
  MatrixXd gradient_;   // g
  MatrixXd curvature_;  // of two classes; of more, weight times probability
  MatrixXd shares_;     // of more than two classes: probabilities
  MatrixXd v_;
  MatrixXd smooth_;          // derivative at v without l1
  std::vector<Kink> kinks_;  // of the last way
  double lowest_ = 0;        // where that is lowest
};

}  // namespace crossfold::bundled
