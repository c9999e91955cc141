// Compares two learners on several data sets, with the differences of all folds: the probabilities
// that the mean difference on the next data set is below, in and above a region of practical
// equivalence.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "crossfold/cancel_token.h"

namespace crossfold::stats {

// The differences of the folds of one data set.
struct FoldDifferences {
  std::vector<double> values;  // at least 2
  double rho = 0.1;            // in [0, 1): their correlation; the share of test rows of a split
};

// Bounds of the uniform priors of the two parameters of the gamma distribution of nu - 1, where nu
// are the degrees of freedom between data sets.
struct HierarchicalPrior {
  double lower_alpha, upper_alpha, lower_beta, upper_beta;  // 0 < lower <= upper
  // G. Corani et al. 2017 (below), and the default of the package baycomp 1.0.
  static constexpr HierarchicalPrior Corani() { return {0.5, 5, 0.05, 0.15}; }
  static constexpr HierarchicalPrior Baycomp() { return {1, 2, 0.01, 0.1}; }
};

struct BayesHierarchicalOptions {
  double rope = 0;  // >= 0: the largest difference without practical relevance
  HierarchicalPrior prior = HierarchicalPrior::Corani();
  std::int64_t samples = 20000;  // >= 400: of all four chains, without the burn-in of each
  std::int64_t points = 0;       // >= 0: how many of the samples are kept, evenly spaced
  std::uint64_t seed = 1;
  const CancelToken* cancel = nullptr;  // checked at each sample; may be null
};

struct BayesHierarchicalTest {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  bool defined = false;
  std::string undefined;  // why not
  std::int64_t n = 0;     // data sets
  // The shares of the samples in which the mean difference on the next data set is most probably
  // below, in and above [-rope, rope]. With rope 0, `rope` is 0.
  double left = kNone, rope = kNone, right = kNone;
  double mean = kNone;  // posterior mean of the mean difference over data sets
  double sd = kNone;    // posterior median of the scale of the means of data sets around it
  double rhat = kNone;  // the larger potential scale reduction of these two, over halves of chains
  // Of the kept samples: the probabilities that it is below, in and above.
  std::vector<std::array<double, 3>> points;
};

// The hierarchical model of G. Corani, A. Benavoli, J. Demsar, F. Mangili, M. Zaffalon 2017,
// Machine Learning 106, 1817-1837. The differences of the folds of data set i are normal with mean
// delta_i, standard deviation sigma_i and correlation rho_i between any two of them; delta_i has
// Student's t distribution with mean delta_0, scale sigma_0 and nu degrees of freedom. Priors:
// delta_0 is uniform up to the largest |difference|, sigma_i and sigma_0 are uniform up to 1000
// times the mean standard deviation within data sets and the standard deviation between them, nu -
// 1 has a gamma distribution with uniform parameters.
//
// The posterior is sampled by a Gibbs sampler: sigma_0 and delta_0 with the delta_i integrated out,
// nu with the weights of the t distribution integrated out, both by slice sampling (R. Neal 2003,
// Annals of Statistics 31, 705-767), the rest from their conditional distributions. Four chains
// start at different scales; the test is undefined if they disagree (rhat above 1.05, A. Gelman et
// al., Bayesian Data Analysis, 3rd edition, section 11.4).
//
// Differences of a data set that are all equal have no variance: theirs is then rope^2 / 3, as if
// they were uniform within the region around their mean; with rope 0 the test is undefined. It is
// undefined for fewer than 3 data sets, which say nearly nothing about the scale between data sets.
// Raises Error for values that are not finite, for options out of range, and if it is cancelled.
BayesHierarchicalTest BayesHierarchical(std::span<const FoldDifferences> datasets,
                                        const BayesHierarchicalOptions& options = {});

}  // namespace crossfold::stats
