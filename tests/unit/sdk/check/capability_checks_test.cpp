// Checks of the laws of capabilities.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tuple>
#include <utility>

#include "unit/sdk/check/one_check.h"

namespace crossfold {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(CapabilityChecksTest, BundledComponentsKeepTheLaws) {
  for (const auto& [name, check] :
       {std::pair{"knn", "cap-proba"}, std::pair{"knn", "cap-prepare"},
        std::pair{"decision_tree", "cap-fit-path"}, std::pair{"naive_bayes", "cap-incremental"},
        std::pair{"knn", "cap-cross-predict"}, std::pair{"naive_bayes", "cap-serialize"},
        std::pair{"pca", "cap-serialize"}, std::pair{"prism", "cap-serialize"},
        std::pair{"ridge", "cap-importance"}, std::pair{"mlp", "cap-warm-start"},
        std::pair{"decision_tree", "cap-check"}, std::pair{"pca", "cap-check"},
        std::pair{"select", "cap-check"}, std::pair{"random_forest", "cap-memory"},
        std::pair{"decision_tree", "cap-export"}, std::pair{"mlp", "cap-validation"},
        std::pair{"adaboost", "cap-validation"}, std::pair{"adaboost", "cap-onnx"},
        std::pair{"one_hot", "cap-onnx"}}) {
    EXPECT_EQ(FirstOf(OneCheck(BundledPlugin(name), check)), "ok") << name << ", " << check;
  }
}

TEST(CapabilityChecksTest, WhatIsNotOfferedIsSkipped) {
  EXPECT_EQ(OneCheck(BundledPlugin("one_r"), "cap-incremental"),
            "skipped: it does not offer crossfold.incremental/1");
}

TEST(CapabilityChecksTest, ALearnerThatBreaksALawIsTold) {
  for (const auto& [name, check, finding] :
       {std::tuple{"path_off_by_one", "cap-fit-path",
                   "failed: predict_at(0) after fit_path on a classification of 2 classes differs "
                   "from a separate fit of bad.path_off_by_one{width="},
        std::tuple{"prepare_uses_other_parameters", "cap-prepare",
                   "failed: fit_prepared of bad.prepare_uses_other_parameters"},
        std::tuple{"removes_one_row_less", "cap-incremental",
                   "failed: remove_rows(add_rows(m, rows), rows) differs from m "},
        std::tuple{"clone_shares", "cap-incremental",
                   "failed: add_rows to a clone changed the model it was made from "},
        std::tuple{"cross_predict_sees_target", "cap-cross-predict",
                   "failed: cross_predict of bad.cross_predict_sees_target in fold 0 differs from "
                   "a separate fit: "},
        std::tuple{"importance_is_nan", "cap-importance",
                   "failed: the importance of feature 0 on a classification of 2 classes is nan"},
        std::tuple{"importance_one_too_many", "cap-importance",
                   "failed: importance on a classification of 2 classes wrote more numbers than "
                   "the 3 features"},
        std::tuple{"importance_by_place", "cap-importance",
                   "failed: one feature on a classification of 2 classes reveals the target; "},
        std::tuple{"check_disagrees", "cap-check", "failed: check() refuses a fit of "},
        std::tuple{"memory_is_nothing", "cap-memory",
                   "warning: model_bytes on a classification of 2 classes says 0, "},
        std::tuple{"fit_memory_is_nothing", "cap-fit-memory",
                   "warning: fit_bytes on a classification of 2 classes of 20000 rows says 0, and "
                   "a call with twice that memory ended with out of memory"},
        std::tuple{"validation_ignores_view", "cap-validation",
                   "failed: fit_validated of bad.validation_ignores_view on a classification of 2 "
                   "classes gives another model for copied validation rows, which have no row "
                   "index: "},
        std::tuple{"export_differs", "cap-export",
                   "failed: export as 'text' on a classification of 2 classes gave other bytes the "
                   "second time"},
        std::tuple{"onnx_forgets_a_column", "cap-onnx",
                   "failed: the graph of a model on a classification of 2 classes has 2 inputs for "
                   "3 columns"}}) {
    EXPECT_THAT(OneCheck(BadPlugin(name), check), StartsWith(finding)) << name;
  }
}

TEST(SerializeChecksTest, BytesThatAreNoModelMustBeRefused) {
  EXPECT_THAT(OneCheck(BadPlugin("loads_anything"), "cap-serialize"),
              HasSubstr("bytes of a model ended with ok instead of a damaged model "
                        "(CF_E_BAD_BLOB)"));
  EXPECT_EQ(FirstOf(OneCheck(BadPlugin("load_trusts_sizes"), "cap-serialize")),
            "crashed: the process died of signal 6 (Aborted)");
}

TEST(SerializeChecksTest, AModelIsTheSameEverywhereAndInSmallPortions) {
  EXPECT_THAT(OneCheck(BadPlugin("save_forgets"), "cap-serialize"),
              StartsWith("failed: a model loaded in another process answers otherwise: number "));
  EXPECT_THAT(OneCheck(BadPlugin("load_reads_once"), "cap-serialize"),
              StartsWith("failed: a model loaded in portions of 1 byte answers otherwise: "));
  EXPECT_THAT(OneCheck(BadPlugin("save_differs"), "cap-serialize"),
              StartsWith("failed: save, load and save gave other bytes"));
}

}  // namespace
}  // namespace crossfold
