#include "engine/text/foreign_names.h"

#include <algorithm>

#include "engine/text/ascii.h"

namespace crossfold {
namespace {

struct ForeignName {
  std::string_view foreign, ours;
};

// scikit-learn 1.2, xgboost 1.6, mlr3 and its learners, R's class, rpart and randomForest,
// Weka 3.8.
constexpr ForeignName kNames[] = {
    {"n_neighbors", "k"},
    {"n_neighbours", "k"},
    {"metric", "distance"},
    {"n_estimators", "trees"},
    {"n_estimators", "rounds"},
    {"ntree", "trees"},
    {"num.trees", "trees"},
    {"mtry", "features_per_node"},
    {"max_features", "features_per_node"},
    {"min_samples_leaf", "min_leaf"},
    {"min_samples_split", "min_rows"},
    {"minsplit", "min_rows"},
    {"minbucket", "min_leaf"},
    {"cp", "ccp_alpha"},
    {"alpha", "l2"},
    {"lambda", "l2"},
    {"fit_intercept", "intercept"},
    {"tol", "tolerance"},
    {"hidden_layer_sizes", "layers"},
    {"learning_rate_init", "learning_rate"},
    {"n_components", "components"},
    {"n_splits", "folds"},
    {"n_splits", "repeats"},
    {"n_repeats", "repeats"},
    {"test_size", "test_share"},
    {"mcc", "matthews_correlation"},
    {"matthews_corrcoef", "matthews_correlation"},
    {"kappa", "cohen_kappa"},
    {"tpr", "recall"},
    {"sensitivity", "recall"},
    {"fpr", "false_positive_rate"},
    {"tnr", "specificity"},
    {"ppv", "precision"},
    {"neg_log_loss", "log_loss"},
    {"logloss", "log_loss"},
    {"cross_entropy", "log_loss"},
    {"ece", "expected_calibration_error"},
    {"linear_regression", "least_squares"},
    {"lm", "least_squares"},
    {"linear_svc", "liblinear"},
    {"svm", "libsvm"},
    {"svc", "libsvm"},
    {"svr", "libsvm"},
    {"gradient_boosting", "xgboost"},
    {"gbm", "xgboost"},
    {"j48", "decision_tree"},
    {"rpart", "decision_tree"},
    {"ibk", "knn"},
    {"gaussian_nb", "naive_bayes"},
    {"dummy", "featureless"},
    {"zero_r", "featureless"},
    {"loo", "leave_one_out"},
    {"shuffle_split", "holdout"},
    {"train_test_split", "holdout"},
    {"group_kfold", "kfold"},
    {"scale", "standardize"},
    {"standard_scaler", "standardize"},
    {"simple_imputer", "impute"},
};

bool Same(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return LowerCase(x) == LowerCase(y); });
}

}  // namespace

std::vector<std::string_view> NamesMeantBy(std::string_view foreign) {
  std::vector<std::string_view> names;
  for (const ForeignName& name : kNames) {
    if (Same(name.foreign, foreign)) names.push_back(name.ours);
  }
  return names;
}

}  // namespace crossfold
