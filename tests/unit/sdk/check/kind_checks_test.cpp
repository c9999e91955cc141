// Checks of transforms, splitters and metrics: a component without a defect passes them, and a
// defect is found by the check that is about it and by no other.
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "crossfold/plugin_check.h"
#include "unit/sdk/check/one_check.h"

namespace crossfold {
namespace {

// The checks of these kinds, without what is about the file and about every kind.
constexpr const char* kOfKinds =
    "^(transform-smoke|same-columns|no-leak|predict-subset|feature-count|fit-idempotent|seed-used|"
    "interleaved-instances|input-untouched|view-equals-copy|row-order|weights|dtypes|missing|"
    "degenerate|one-class|zero-rows|unseen-category|extreme-values|cap-resample|cap-synthesize|"
    "split-.*|class-names|class-order|metric-.*|many-classes|cap-accumulate)$";

CheckReport ReportOf(const std::string& path, const std::string& component,
                     const std::string& include = kOfKinds) {
  CheckOptions options;
  options.checker = CROSSFOLD_CHECKER_PROGRAM;
  options.include = include;
  options.component = component;
  return CheckPlugin(path, options);
}

// "check: outcome: text" of what is neither ok nor skipped.
std::string Findings(const CheckReport& report) {
  std::string text;
  for (const CheckResult& result : report.results) {
    if (result.outcome == CheckOutcome::kOk || result.outcome == CheckOutcome::kSkipped) continue;
    if (result.check == "descriptor-complete") continue;  // bad plugins have no titles
    text += (text.empty() ? "" : "\n") + result.check + " " +
            std::string(CheckOutcomeName(result.outcome)) + ": " + result.text;
  }
  return text;
}

// ---- without a defect ---------------------------------------------------------------------------

class SoundComponentTest : public testing::TestWithParam<const char*> {};

TEST_P(SoundComponentTest, PassesEveryCheckOfItsKind) {
  const std::string name = GetParam();
  const std::string path = name.rfind("good_", 0) == 0 ? BadPlugin(name) : BundledPlugin(name);
  const CheckReport report = ReportOf(path, "");
  EXPECT_EQ(Findings(report), "");
  EXPECT_GT(report.Count(CheckOutcome::kOk), 10u);
}

INSTANTIATE_TEST_SUITE_P(Components, SoundComponentTest,
                         testing::Values("good_transform", "good_splitter", "good_metric",
                                         "standardize", "one_hot", "smote", "kfold", "holdout",
                                         "time_series", "regression_metrics"),
                         [](const auto& info) { return std::string(info.param); });

// ---- with a defect ------------------------------------------------------------------------------

struct Defect {
  const char* plugin;
  const char* component;
  std::vector<std::string> found_by;  // in the order of the checks
  const char* text;                   // the beginning of what the first of them says
};

void PrintTo(const Defect& defect, std::ostream* out) { *out << defect.component; }

std::string NameOf(const testing::TestParamInfo<Defect>& info) {
  std::string name = info.param.component;
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

class DefectTest : public testing::TestWithParam<Defect> {};

TEST_P(DefectTest, IsFoundByItsCheckAndByNoOther) {
  const CheckReport report = ReportOf(BadPlugin(GetParam().plugin), GetParam().component);
  std::vector<std::string> found_by;
  std::string text;
  for (const CheckResult& result : report.results) {
    if (result.outcome == CheckOutcome::kOk || result.outcome == CheckOutcome::kSkipped) continue;
    if (result.check == "descriptor-complete") continue;  // it has no title
    if (found_by.empty()) text = result.text;
    found_by.push_back(result.check);
  }
  EXPECT_EQ(found_by, GetParam().found_by) << Findings(report);
  EXPECT_EQ(text.substr(0, std::string(GetParam().text).size()), GetParam().text);
}

const char* const kSplitters = "defective_splitters";
const char* const kMetrics = "defective_metrics";
const char* const kTransforms = "defective_transforms";
const char* const kAbort = "the process died of signal 6 (Aborted)";

INSTANTIATE_TEST_SUITE_P(
    Splitters, DefectTest,
    testing::ValuesIn(std::vector<Defect>{
        {kSplitters,
         "bad.row_out_of_range",
         {"split-smoke"},
         "on 10 rows of a classification it emits test row 10, there are 10; "},
        {kSplitters,
         "bad.trains_on_test_row",
         {"split-disjoint"},
         "on 57 rows of a classification split 0 tests row 0, which it trains on; "},
        {kSplitters,
         "bad.empty_fold",
         {"split-coverage"},
         "on 57 rows of a classification fold 1 has no row; "},
        {kSplitters,
         "bad.lowers_folds",
         {"split-never-lowers"},
         "with folds = 58 on 57 rows of a classification it made 57 and no error; "},
        {kSplitters,
         "bad.tears_groups",
         {"split-groups"},
         "on 57 rows of a classification with groups split 0 trains on rows of group "},
        {kSplitters,
         "bad.goes_by_row_number",
         {"split-time-order"},
         "on 57 rows of a classification with time, not sorted by time, split 0 trains on time "},
        {kSplitters,
         "bad.forgets_to_stratify",
         {"split-stratified"},
         "as bad.forgets_to_stratify{stratify=true} on 57 rows of a classification split "},
        {kSplitters,
         "bad.sees_class_names",
         {"class-names"},
         "as bad.sees_class_names on 57 rows of a classification, after giving the classes other "
         "names, split 0 tests other rows; "},
        {kSplitters,
         "bad.sees_class_index",
         {"class-order"},
         "on 57 rows of a classification, after reversing the order of the classes, split 0 tests "
         "other rows; "},
        {kSplitters, "bad.keeps_state", {"fit-idempotent"}, "splitting 57 rows "},
        {kSplitters,
         "bad.draws_in_vain",
         {"seed-used"},
         "it draws random numbers, but five seeds gave the same splits"},
        {kSplitters,
         "bad.claims_row_order",
         {"row-order"},
         "after permuting the rows of 57 rows of a classification split "},
        {kSplitters, "bad.writes_target", {"input-untouched"}, "the process died of signal 11"},
        {kSplitters, "bad.dies_of_weights", {"split-weights"}, kAbort},
        {kSplitters, "bad.dies_of_missing_class", {"missing"}, kAbort},
        {kSplitters,
         "bad.splits_one_row",
         {"degenerate"},
         "on 1 row of a classification every row is in fold 0, so that none trains; "},
        {kSplitters,
         "bad.splits_no_rows",
         {"zero-rows"},
         "on 0 rows of a classification it reports success; "},
        {kSplitters, "bad.dies_of_late_times", {"extreme-values"}, kAbort},
    }),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    Metrics, DefectTest,
    testing::ValuesIn(std::vector<Defect>{
        {kMetrics,
         "bad.percent",
         {"metric-smoke"},
         "on a classification of 2 classes the value is "},
        {kMetrics,
         "bad.misses_best",
         {"metric-bounds"},
         "on a classification of 2 classes perfect predictions get 0.9, the best value is said to "
         "be 1; "},
        {kMetrics,
         "bad.wrong_direction",
         {"metric-direction"},
         "on a classification of 2 classes the value is "},
        {kMetrics,
         "bad.nan_without_rows",
         {"metric-undefined"},
         "on a classification of 2 classes, of no rows, the value is a NaN; "},
        {kMetrics,
         "bad.counts_calls",
         {"fit-idempotent"},
         "on a classification of 2 classes, the second time, the value is "},
        {kMetrics,
         "bad.draws_numbers",
         {"seed-used"},
         "on a classification of 2 classes, with another seed, though it declares CF_DET_UNSEEDED, "
         "the value is "},
        {kMetrics,
         "bad.first_row_counts",
         {"row-order", "weights"},
         "on a classification of 2 classes, after permuting the rows, the value is "},
        {kMetrics,
         "bad.name_counts",
         {"class-names"},
         "on a classification of 2 classes, after giving the classes other names, the value is "},
        {kMetrics,
         "bad.first_class_counts",
         {"class-order"},
         "on a classification of 2 classes, after permuting the classes, the value is "},
        {kMetrics,
         "bad.forgets_weights",
         {"weights"},
         "on a classification of 2 classes, with weights 0 to 3 instead of rows repeated as often, "
         "the value is "},
        {kMetrics,
         "bad.mean_of_blocks",
         {"cap-accumulate"},
         "on a classification of 2 classes, in blocks of 7 rows, the value is "},
        {kMetrics, "bad.writes_labels", {"input-untouched"}, "the process died of signal 11"},
        {kMetrics,
         "bad.reads_undeclared",
         {"metric-needs"},
         "on a classification of 2 classes, with what it declares to need and nothing else, it "
         "ended with undefined: 'the training rows are not known'; "},
        {kMetrics,
         "bad.few_classes",
         {"many-classes"},
         "on a classification of 7 classes it has no value: unsupported: 'there are more than 5 "
         "classes'; "},
        {kMetrics,
         "bad.sums_floats",
         {"extreme-values"},
         "on a classification of 2 classes with weights of 5e-324 and 1e300, the value is a NaN; "},
    }),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    Transforms, DefectTest,
    testing::ValuesIn(std::vector<Defect>{
        {kTransforms,
         "bad.makes_infinity",
         {"transform-smoke"},
         "on a classification of 2 classes entry 0 of column 'infinite' is inf; "},
        {kTransforms,
         "bad.leaves_out_constants",
         {"same-columns"},
         "on a classification of 2 classes, applied to no rows instead of the training rows, 0 "
         "columns instead of 3; "},
        {kTransforms,
         "bad.fits_all_rows",
         {"no-leak", "view-equals-copy"},
         "on a classification of 2 classes, after changing rows that are neither trained on nor "
         "transformed, "},
        {kTransforms,
         "bad.apply_learns",
         {"no-leak"},
         "on a classification of 2 classes, applied to the training rows again after other rows, "},
        {kTransforms,
         "bad.means_of_batch",
         {"predict-subset"},
         "on a classification of 2 classes, after row 0 was transformed alone and not among all, "},
        {kTransforms,
         "bad.ignores_columns",
         {"feature-count"},
         "on a classification of 2 classes, applied to 2 columns after a fit on 3, it makes the "
         "same columns; "},
        {kTransforms,
         "bad.counts_fits",
         {"fit-idempotent"},
         "on a classification of 2 classes, after another fit with the same seed, "},
        {kTransforms,
         "bad.hides_its_seed",
         {"seed-used"},
         "on a classification of 2 classes it declares CF_DET_UNSEEDED, but with the seed 2 "
         "instead of 1 "},
        {kTransforms,
         "bad.shares_means",
         {"interleaved-instances"},
         "on a classification of 2 classes, after another model was fitted and applied in "
         "between, "},
        {kTransforms,
         "bad.fit_writes",
         {"fit-idempotent", "input-untouched"},
         "on a classification of 2 classes, after another fit with the same seed, "},
        {kTransforms,
         "bad.fits_last_rows",
         {"row-order"},
         "on a classification of 2 classes, after permuting the training rows (not their ids) "},
        {kTransforms,
         "bad.fits_without_weights",
         {"weights"},
         "on a classification of 2 classes, with weight 0 for every fourth row instead of leaving "
         "it out "},
        {kTransforms,
         "bad.reads_longs_as_doubles",
         {"dtypes"},
         "on a classification of 2 classes, with the same numbers in columns of type int64 instead "
         "of float64 "},
        {kTransforms,
         "bad.fits_without_bitmap",
         {"missing"},
         "on a classification of 2 classes with missing entries, with missing entries marked by "
         "the "
         "bitmap instead of NaN and code -1 "},
        {kTransforms, "bad.dies_of_one_row", {"degenerate"}, kAbort},
        {kTransforms, "bad.dies_of_one_class", {"one-class"}, kAbort},
        {kTransforms,
         "bad.fails_without_rows",
         {"zero-rows"},
         "on a classification of 2 classes transforming no rows ended with unsupported data: "
         "'there are no rows'; "},
        {kTransforms,
         "bad.silent_about_levels",
         {"unseen-category"},
         "on a classification of 2 classes with categories, for rows with the level 'never', which "
         "no training row has, the call ended with internal error, without a reason; "},
        {kTransforms,
         "bad.squares",
         {"extreme-values"},
         "on a classification of 2 classes with 1e300 and -1e300 in a column entry 0 of column "
         "'square' is inf; "},
        {kTransforms,
         "bad.emits_row_ids",
         {"cap-resample"},
         "on a classification of 2 classes it emits position 59 of 50 training rows; "},
        {kTransforms,
         "bad.makes_fewer_columns",
         {"cap-synthesize"},
         "on a classification of 2 classes, of the columns that it made and not of those of the "
         "training rows, 2 columns instead of 3; "},
    }),
    NameOf);

}  // namespace
}  // namespace crossfold
