#include "programs/plugin/project_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "message_of.h"

namespace crossfold::cli {
namespace {

// "file type id" of a learner of that name.
std::string Made(const std::string& name) {
  const ProjectNames names = MakeProjectNames(name, "learner", "");
  return names.file + " " + names.type_name + " " + names.id;
}

std::string NameRefusal(const std::string& name, const std::string& id = "") {
  return test::MessageOf([&] { MakeProjectNames(name, "learner", id); });
}

TEST(ProjectNamesTest, WordsAreJoinedByUnderscoresOrCapitals) {
  EXPECT_EQ(Made("k-nearest"), "k_nearest KNearest org.example.k_nearest");
  EXPECT_EQ(Made("a b"), "a_b AB org.example.a_b");
  EXPECT_EQ(Made("__my -- method_"), "my_method MyMethod org.example.my_method");
  EXPECT_EQ(Made("v1.2"), "v1_2 V12 org.example.v1_2");
}

TEST(ProjectNamesTest, CapitalsInsideAWordStayInTheTypeAndGoFromTheFile) {
  EXPECT_EQ(Made("UPPER"), "upper Upper org.example.upper");
  EXPECT_EQ(Made("kNN"), "knn KNN org.example.knn");
  EXPECT_EQ(Made("RandomForest"), "randomforest RandomForest org.example.randomforest");
}

TEST(ProjectNamesTest, LettersLoseTheirMarks) {
  EXPECT_EQ(Made("Ünïcode"), "unicode Unicode org.example.unicode");
  EXPECT_EQ(Made("Łódź straße"), "lodz_strasse LodzStrasse org.example.lodz_strasse");
  EXPECT_EQ(Made("ÀÿĀſŸ"), "ayasy AyAsY org.example.ayasy");    // the ends of the table
  EXPECT_EQ(Made("U\u0308ber"), "uber Uber org.example.uber");  // a mark of its own
}

TEST(ProjectNamesTest, ATypeThatWouldBeginWithADigitBeginsWithTheKind) {
  EXPECT_EQ(Made("3d-trees"), "3d_trees Learner3dTrees org.example.3d_trees");
}

TEST(ProjectNamesTest, KeywordsAreNoTypesAfterCapitalisation) {
  EXPECT_EQ(Made("class"), "class Class org.example.class");
  EXPECT_EQ(Made("int"), "int Int org.example.int");
  EXPECT_EQ(Made("new"), "new New org.example.new");
  EXPECT_EQ(Made("std"), "std Std org.example.std");
  EXPECT_EQ(Made("x"), "x X org.example.x");
}

TEST(ProjectNamesTest, FilesThatCMakeOrLuaKnowGetTheKind) {
  EXPECT_EQ(Made("test"), "test_learner Test org.example.test");
  EXPECT_EQ(Made("crossfold"), "crossfold_learner Crossfold org.example.crossfold");
  EXPECT_EQ(Made("string"), "string_learner String org.example.string");
  EXPECT_EQ(Made("crossfold sdk"), "crossfold_sdk_learner CrossfoldSdk org.example.crossfold_sdk");
}

TEST(ProjectNamesTest, TypesAreNotNamedAfterTheirMembers) {
  EXPECT_EQ(Made("fit"), "fit FitLearner org.example.fit");
  EXPECT_EQ(Made("params"), "params ParamsLearner org.example.params");
}

TEST(ProjectNamesTest, AnIdGivesTheNameAndIsKept) {
  EXPECT_EQ(Made("org.acme.soft-knn"), "soft_knn SoftKnn org.acme.soft-knn");
  EXPECT_EQ(MakeProjectNames("soft knn", "learner", "de.acme.soft").id, "de.acme.soft");
  EXPECT_EQ(MakeProjectNames("soft knn", "learner", "de.acme.soft").file, "soft_knn");
}

TEST(ProjectNamesTest, NamesOfOtherCharactersAreRefused) {
  constexpr const char* kWayOut =
      "; use letters with or without accents, digits, spaces, '-', '_' and '.'";
  EXPECT_EQ(NameRefusal("日本"),
            std::string("cannot make plugin '日本': '日' cannot be part of it") + kWayOut);
  EXPECT_EQ(NameRefusal("a/b"),
            std::string("cannot make plugin 'a/b': '/' cannot be part of it") + kWayOut);
  EXPECT_EQ(
      NameRefusal("a\nb"),
      std::string("cannot make plugin 'a?b': a control character cannot be part of it") + kWayOut);
  EXPECT_EQ(NameRefusal("a×b"),
            std::string("cannot make plugin 'a×b': '×' cannot be part of it") + kWayOut);
  EXPECT_EQ(NameRefusal("a\xC3"),
            "cannot make plugin 'a\xC3': it is not UTF-8; type it in ASCII letters and digits");
}

TEST(ProjectNamesTest, NamesWithoutLettersAreRefused) {
  EXPECT_EQ(NameRefusal("-"),
            "cannot make plugin '-': it has no letter and no digit; give it a name");
  EXPECT_EQ(NameRefusal("  "),
            "cannot make plugin '': it has no letter and no digit; give it a name");
}

TEST(ProjectNamesTest, LongNamesAreRefusedNotCut) {
  EXPECT_EQ(Made(std::string(64, 'x')).substr(0, 64), std::string(64, 'x'));
  EXPECT_THAT(NameRefusal(std::string(65, 'x')),
              testing::EndsWith(": the name has 65 characters; use at most 64"));
}

TEST(ProjectNamesTest, IdsThatNoHostTakesAreRefused) {
  for (const char* id :
       {"knn", "Org.acme.knn", "org..knn", "org.knn.", "org.my knn", ".org.knn", "3.knn"}) {
    EXPECT_EQ(NameRefusal("knn", id), "cannot make plugin 'knn': '" + std::string(id) +
                                          "' is not an id; ids are made of a-z, 0-9, '_' and '-' "
                                          "with dots between the parts, as in "
                                          "org.example.my_method");
  }
  EXPECT_EQ(
      NameRefusal("knn", "crossfold.knn"),
      "cannot make plugin 'knn': 'crossfold.knn' begins as the ids of the bundled plugins do; "
      "begin with a domain that is yours, as in org.example.my_method");
}

}  // namespace
}  // namespace crossfold::cli
