#include "crossfold/nearest_name.h"

#include <gtest/gtest.h>

#include <vector>

namespace crossfold {
namespace {

using Names = std::vector<std::string>;

TEST(NearestNameTest, FindsOneEditOfEachKind) {
  const Names known = {"distance", "weights"};
  EXPECT_EQ(NearestName("distnce", known), "distance");    // one left out
  EXPECT_EQ(NearestName("distaance", known), "distance");  // one too many
  EXPECT_EQ(NearestName("distamce", known), "distance");   // one wrong
  EXPECT_EQ(NearestName("wieghts", known), "weights");     // two swapped
}

TEST(NearestNameTest, ASwapIsOneEdit) {
  // "ab" -> "ba" is one swap but two substitutions, and one edit is all that a short name may have.
  EXPECT_EQ(NearestName("flods", Names{"folds"}), "folds");
  EXPECT_EQ(NearestName("acb", Names{"abc"}), "abc");
}

TEST(NearestNameTest, AllowsOneEditForEveryThreeLetters) {
  EXPECT_EQ(NearestName("speceis_", Names{"species"}), "species");  // 8 letters, 2 edits
  EXPECT_EQ(NearestName("abxyf", Names{"abcdf"}), "");              // 5 letters, 2 edits
}

TEST(NearestNameTest, AnotherWordIsNotMeant) {
  EXPECT_EQ(NearestName("colour", Names{"distance", "k", "weights"}), "");
  EXPECT_EQ(NearestName("q", Names{"k", "p"}), "");  // nothing of it is left
  EXPECT_EQ(NearestName("", Names{"k"}), "");
}

TEST(NearestNameTest, CaseDoesNotCount) {
  EXPECT_EQ(NearestName("SPECIES", Names{"species"}), "species");
  EXPECT_EQ(NearestName("K", Names{"k", "p"}), "k");
}

TEST(NearestNameTest, OfEquallyNearNamesTheFirstInTheAlphabetWins) {
  EXPECT_EQ(NearestName("x1x", Names{"x3x", "x2x", "x4x"}), "x2x");
}

TEST(KnownNamesTest, AsksIfSomethingIsNear) {
  EXPECT_EQ(KnownNames("kk", Names{"p", "k", "distance"}),
            "did you mean 'k'? known: distance, k, p");
}

TEST(KnownNamesTest, ANameOfAnotherToolIsTranslatedIfItsTranslationIsKnown) {
  EXPECT_EQ(KnownNames("n_neighbors", Names{"p", "k", "distance"}),
            "did you mean 'k'? known: distance, k, p");
  EXPECT_EQ(KnownNames("MCC", Names{"matthews_correlation", "accuracy"}),
            "did you mean 'matthews_correlation'? known: accuracy, matthews_correlation");
  EXPECT_EQ(KnownNames("n_estimators", Names{"max_depth", "rounds"}),
            "did you mean 'rounds'? known: max_depth, rounds");
  EXPECT_EQ(KnownNames("n_estimators", Names{"max_depth", "units"}), "known: max_depth, units");
}

TEST(KnownNamesTest, OfSeveralTranslationsTheLikeliestKnownOneIsMeant) {
  EXPECT_EQ(KnownNames("n_splits", Names{"folds", "repeats"}),
            "did you mean 'folds'? known: folds, repeats");
  EXPECT_EQ(KnownNames("n_splits", Names{"repeats", "test_share"}),
            "did you mean 'repeats'? known: repeats, test_share");
}

TEST(KnownNamesTest, OnlyListsIfNothingIsNear) {
  EXPECT_EQ(KnownNames("colour", Names{"p", "k"}), "known: k, p");
}

TEST(KnownNamesTest, APartOfANameOrMoreThanItMayBeMeant) {
  EXPECT_EQ(KnownNames("auc", Names{"roc_auc", "recall", "pr_auc"}),
            "did you mean 'pr_auc' or 'roc_auc'? known: pr_auc, recall, roc_auc");
  EXPECT_EQ(KnownNames("Stratified_KFold", Names{"kfold", "holdout"}),
            "did you mean 'kfold'? known: holdout, kfold");
}

TEST(KnownNamesTest, AWordOfASentenceIsNotMeant) {
  EXPECT_EQ(KnownNames("no such name", Names{"name", "title"}), "known: name, title");
  EXPECT_EQ(KnownNames("radius", Names{"mean radius", "texture"}),
            "did you mean 'mean radius'? known: mean radius, texture");
}

TEST(KnownNamesTest, ANearNameIsMeantBeforeALongerOne) {
  EXPECT_EQ(KnownNames("fold", Names{"folds_column", "folds"}),
            "did you mean 'folds'? known: folds, folds_column");
}

TEST(KnownNamesTest, APartOfTwoLettersOrOfFourNamesTellsNothing) {
  EXPECT_EQ(KnownNames("kn", Names{"knapsack"}), "known: knapsack");
  EXPECT_EQ(KnownNames("cost", Names{"cost_a", "cost_bc", "cost_cd", "cost_de"}),
            "known: cost_a, cost_bc, cost_cd, cost_de");
}

TEST(KnownNamesTest, SaysThatThereAreNone) { EXPECT_EQ(KnownNames("k", {}), "none are known"); }

}  // namespace
}  // namespace crossfold
