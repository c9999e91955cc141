#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "crossfold/component.h"
#include "crossfold/error.h"
#include "crossfold/spec.h"
#include "crossfold/version.h"
#include "unit/engine/data/refusal.h"
#include "unit/engine/plugin/declared_components.h"

namespace crossfold {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string MakeError(const std::shared_ptr<const Component>& component,
                      const ParamValues& values) {
  return RefusedArgument([&] { Spec::Make(component, values); });
}

std::vector<std::string> ProblemsOf(ParamSpec param, const Value& value) {
  const std::string name = param.name;
  const auto component = test::Declare(Kind::kLearner, "x.y", {std::move(param)});
  return FindProblems(*component, {{name, value}});
}

TEST(SpecTest, DefaultsAreFilledInInTheOrderOfTheDeclaration) {
  const auto spec = Spec::Make(test::DeclareKnn(), {{"k", std::int64_t{7}}});
  EXPECT_THAT(spec->values(), ElementsAre(Value(std::int64_t{7}), Value(std::string("euclidean")),
                                          Value(2.0), Value(std::string("uniform"))));
  EXPECT_THAT(spec->given(), ElementsAre(testing::Pair("k", Value(std::int64_t{7}))));
}

TEST(SpecTest, PluginsGetEveryParameterWithChoicesAsIndices) {
  const auto spec = Spec::Make(test::DeclareKnn(),
                               {{"distance", std::string("minkowski")}, {"p", std::int64_t{3}}});
  const std::span<const cf_arg> args = spec->args();
  ASSERT_EQ(args.size(), 4u);
  EXPECT_STREQ(args[0].name, "k");
  EXPECT_EQ(args[0].value.type, CF_P_INT);
  EXPECT_EQ(args[0].value.u.i, 5);
  EXPECT_STREQ(args[1].name, "distance");
  EXPECT_EQ(args[1].value.u.i, 3);
  EXPECT_STREQ(args[2].name, "p");
  EXPECT_EQ(args[2].value.type, CF_P_REAL);
  EXPECT_EQ(args[2].value.u.r, 3.0);
  EXPECT_EQ(args[3].value.u.i, 0);
}

TEST(SpecTest, TextAndListsArePassedWithTheirLength) {
  const auto component =
      test::Declare(Kind::kLearner, "x.y",
                    {test::OfType("column", CF_P_STRING, std::string("fold")),
                     test::OfType("layers", CF_P_INT_LIST, std::vector<std::int64_t>{8}),
                     test::OfType("rates", CF_P_REAL_LIST, std::vector<double>{}),
                     test::OfType("verbose", CF_P_BOOL, true)});
  const auto spec = Spec::Make(component, {{"layers", std::vector<double>{16, 4}},
                                           {"rates", std::vector<std::int64_t>{1, 2}}});
  const std::span<const cf_arg> args = spec->args();
  EXPECT_EQ(std::string(args[0].value.u.s.p, args[0].value.u.s.n), "fold");
  EXPECT_THAT(
      std::vector<std::int64_t>(args[1].value.u.il.p, args[1].value.u.il.p + args[1].value.u.il.n),
      ElementsAre(16, 4));
  EXPECT_THAT(
      std::vector<double>(args[2].value.u.rl.p, args[2].value.u.rl.p + args[2].value.u.rl.n),
      ElementsAre(1.0, 2.0));
  EXPECT_EQ(args[3].value.u.i, 1);
}

TEST(SpecTest, ANullIsPassedAsNone) {
  ParamSpec depth = test::Integer("depth", 1, 100, 5);
  depth.flags = CF_PF_NULLABLE;
  const auto spec =
      Spec::Make(test::Declare(Kind::kLearner, "x.tree", {depth}), {{"depth", Null{}}});
  EXPECT_EQ(spec->args()[0].value.is_null, 1);
  EXPECT_EQ(spec->args()[0].value.u.i, 0);
  EXPECT_EQ(spec->ToString(), "x.tree{depth=none}");
}

TEST(SpecTest, AWholeRealIsAnIntegerAndIsStoredAsOne) {
  const auto spec = Spec::Make(test::DeclareKnn(), {{"k", 3.0}});
  EXPECT_EQ(spec->given().at("k"), Value(std::int64_t{3}));
}

TEST(SpecTest, AnUnknownNameGetsTheNearestAndAllKnownOnes) {
  EXPECT_EQ(MakeError(test::DeclareKnn(), {{"kk", std::int64_t{1}}}),
            "cannot make learner 'knn': unknown parameter 'kk'; did you mean 'k'? known: distance, "
            "k, p, weights");
}

TEST(SpecTest, AValueOutOfRangeGetsTheRange) {
  EXPECT_EQ(
      MakeError(test::DeclareKnn(), {{"k", std::int64_t{0}}}),
      "cannot make learner 'knn': k = 0 is out of range; it must be an integer in [1, 1000000]");
}

TEST(SpecTest, AllProblemsAreToldAtOnce) {
  EXPECT_EQ(MakeError(test::DeclareKnn(), {{"k", 3.5},
                                           {"distance", std::string("euclidian")},
                                           {"weight", std::string("uniform")}}),
            "cannot make learner 'knn': 3 problems: (1) distance = 'euclidian' is not a choice; "
            "did you mean 'euclidean'? known: chebyshev, euclidean, manhattan, minkowski; (2) k = "
            "3.5 is of the wrong type; it must be an integer in [1, 1000000]; (3) unknown "
            "parameter 'weight'; did you mean 'weights'? known: distance, k, p, weights");
}

TEST(SpecTest, OpenAndMissingBoundsAreWrittenAsSuch) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_THAT(ProblemsOf(test::Real("a", 0, 1, 1, CF_PF_LO_OPEN), 0.0),
              ElementsAre("a = 0 is out of range; it must be a number in (0, 1]"));
  EXPECT_THAT(ProblemsOf(test::Real("a", 0, kInfinity, 1, CF_PF_LO_OPEN), -0.5),
              ElementsAre("a = -0.5 is out of range; it must be a number > 0"));
  EXPECT_THAT(ProblemsOf(test::Real("a", -kInfinity, 1, 0, CF_PF_HI_OPEN), std::int64_t{1}),
              ElementsAre("a = 1 is out of range; it must be a number < 1"));
  EXPECT_THAT(ProblemsOf(test::Integer("n", 1, std::numeric_limits<std::int64_t>::max(), 1), -4.0),
              ElementsAre("n = -4 is out of range; it must be an integer >= 1"));
}

TEST(SpecTest, BoundsThatAreNotOpenAreAllowed) {
  EXPECT_THAT(ProblemsOf(test::Real("a", 0, 1, 1), 0.0), IsEmpty());
  EXPECT_THAT(ProblemsOf(test::Real("a", 0, 1, 1), 1.0), IsEmpty());
  EXPECT_THAT(ProblemsOf(test::Integer("n", 1, 3, 1), std::int64_t{3}), IsEmpty());
}

TEST(SpecTest, WhatIsNotFiniteIsInNoRange) {
  const auto any = test::OfType("a", CF_P_REAL, 0.0);
  EXPECT_THAT(ProblemsOf(any, std::nan("")),
              ElementsAre("a = nan is not finite; it must be a number"));
  EXPECT_THAT(ProblemsOf(any, -std::numeric_limits<double>::infinity()),
              ElementsAre("a = -inf is not finite; it must be a number"));
}

TEST(SpecTest, ARealThatNoIntegerHoldsIsRefused) {
  EXPECT_THAT(
      ProblemsOf(test::Integer("n", 1, 9, 1), 0x1p63),
      ElementsAre("n = 9223372036854775808 is of the wrong type; it must be an integer in [1, 9]"));
  EXPECT_THAT(ProblemsOf(test::Integer("n", 1, 9, 1), std::numeric_limits<double>::infinity()),
              ElementsAre("n = inf is of the wrong type; it must be an integer in [1, 9]"));
}

TEST(SpecTest, OnlyTrueAndFalseAreTruthValues) {
  EXPECT_THAT(ProblemsOf(test::OfType("shuffle", CF_P_BOOL, true), std::int64_t{1}),
              ElementsAre("shuffle = 1 is of the wrong type; it must be true or false"));
  EXPECT_THAT(ProblemsOf(test::Integer("n", 0, 9, 1), true),
              ElementsAre("n = true is of the wrong type; it must be an integer in [0, 9]"));
}

TEST(SpecTest, AChoiceCalledTrueOrFalseIsATruthValue) {
  const auto component =
      test::Declare(Kind::kSplitter, "crossfold.deal",
                    {test::Choice("spread", {"false", "true", "as far as possible"}, "false")});
  const auto index_of = [&](const Value& value) {
    return Spec::Make(component, {{"spread", value}})->args()[0].value.u.i;
  };
  EXPECT_EQ(index_of(false), 0);
  EXPECT_EQ(index_of(true), 1);
  EXPECT_EQ(index_of("as far as possible"), 2);
  const auto spec = Spec::Make(component, {{"spread", "true"}});
  EXPECT_EQ(spec->values()[0], Value(true));
  EXPECT_EQ(spec->ToString(), "deal{spread=true}");
  EXPECT_THAT(
      FindProblems(*component, {{"spread", 1.0}}),
      ElementsAre(
          "spread = 1 is of the wrong type; it must be one of false, true, as far as possible"));
  EXPECT_THAT(FindProblems(*component, {{"spread", "as far"}}),
              ElementsAre("spread = 'as far' is not a choice; did you mean 'as far as possible'? "
                          "known: as far as possible, false, true"));
}

TEST(SpecTest, ATruthValueIsNoOtherChoice) {
  EXPECT_THAT(
      ProblemsOf(test::Choice("distance", {"manhattan", "euclidean"}, "euclidean"), true),
      ElementsAre("distance = true is of the wrong type; it must be one of manhattan, euclidean"));
}

TEST(SpecTest, AListIsNoNumberAndANumberIsNoList) {
  EXPECT_THAT(ProblemsOf(test::OfType("layers", CF_P_INT_LIST, std::vector<std::int64_t>{}),
                         std::int64_t{4}),
              ElementsAre("layers = 4 is of the wrong type; it must be a list of integers"));
  EXPECT_THAT(ProblemsOf(test::Integer("n", 1, 9, 1), std::vector<std::int64_t>{4}),
              ElementsAre("n = {4} is of the wrong type; it must be an integer in [1, 9]"));
}

TEST(SpecTest, EveryElementOfAListMustBeInRange) {
  ParamSpec rates = test::Real("rates", 0, 1, 0);
  rates.type = CF_P_REAL_LIST;
  EXPECT_THAT(ProblemsOf(rates, std::vector<double>{0.5, 1.5}),
              ElementsAre("rates = {0.5, 1.5} has an element out of range; it must be a list of "
                          "numbers in [0, 1]"));
}

TEST(SpecTest, NoneIsAValueOnlyWhereItIsDeclared) {
  EXPECT_THAT(ProblemsOf(test::Integer("n", 1, 9, 1), Null{}),
              ElementsAre("n = none is not allowed; it must be an integer in [1, 9]"));
}

TEST(SpecTest, AChoiceOfTheWrongTypeGetsTheChoices) {
  EXPECT_THAT(
      ProblemsOf(test::Choice("weights", {"uniform", "distance"}, "uniform"), true),
      ElementsAre("weights = true is of the wrong type; it must be one of uniform, distance"));
}

TEST(SpecTest, AParameterThatHasNoEffectIsAProblem) {
  EXPECT_EQ(MakeError(test::DeclareKnn(), {{"p", 3.0}}),
            "cannot make learner 'knn': 'p' has no effect while distance = euclidean; it needs "
            "distance = minkowski");
  EXPECT_EQ(MakeError(test::DeclareKnn(), {{"p", 3.0}, {"distance", std::string("minkowski")}}),
            "");
}

TEST(SpecTest, AParameterDependsOnWhatItsConditionDependsOn) {
  ParamSpec degree = test::Integer("degree", 1, 9, 3);
  degree.active_if = "kernel=poly,mixed";
  ParamSpec offset = test::Real("offset", 0, 1, 0);
  offset.active_if = "degree=3";
  const auto svm =
      test::Declare(Kind::kLearner, "x.svm",
                    {test::Choice("kernel", {"rbf", "poly", "mixed"}, "rbf"), degree, offset});
  EXPECT_THAT(
      FindProblems(*svm, {{"offset", 0.5}}),
      ElementsAre("'offset' has no effect while kernel = rbf; it needs kernel = poly or mixed"));
  EXPECT_THAT(FindProblems(*svm, {{"offset", 0.5}, {"kernel", std::string("mixed")}}), IsEmpty());
}

TEST(SpecTest, AWrongConditionDoesNotBlameWhatDependsOnIt) {
  EXPECT_THAT(
      FindProblems(*test::DeclareKnn(), {{"distance", std::string("minkovski")}, {"p", 3.0}}),
      ElementsAre("distance = 'minkovski' is not a choice; did you mean 'minkowski'? known: "
                  "chebyshev, euclidean, manhattan, minkowski"));
}

TEST(SpecTest, WithoutParametersNoneAreKnown) {
  EXPECT_EQ(MakeError(test::Declare(Kind::kMetric, "crossfold.accuracy", {}), {{"k", true}}),
            "cannot make metric 'accuracy': unknown parameter 'k'; none are known");
}

TEST(SpecTest, ItsNameHasTheGivenValuesSorted) {
  const auto knn = test::DeclareKnn();
  EXPECT_EQ(Spec::Make(knn, {})->ToString(), "knn");
  EXPECT_EQ(
      Spec::Make(knn, {{"k", std::int64_t{7}}, {"distance", std::string("manhattan")}})->ToString(),
      "knn{distance=manhattan,k=7}");
}

TEST(SpecTest, FreeTextInItsNameCannotLookLikeAnotherParameter) {
  const auto component =
      test::Declare(Kind::kSplitter, "x.s",
                    {test::OfType("a", CF_P_STRING, std::string()), test::Integer("k", 0, 9, 1)});
  EXPECT_EQ(Spec::Make(component, {{"a", std::string("b,k='7'")}})->ToString(),
            "x.s{a='b,k=\\'7\\''}");
}

TEST(SpecTest, WithChangesSomeValuesAndKeepsTheOthers) {
  const auto spec = Spec::Make(test::DeclareKnn(),
                               {{"k", std::int64_t{7}}, {"weights", std::string("distance")}});
  EXPECT_EQ(spec->With({{"k", std::int64_t{9}}})->ToString(), "knn{k=9,weights=distance}");
  EXPECT_EQ(spec->ToString(), "knn{k=7,weights=distance}");
}

TEST(SpecTest, KnowsWhichParametersAreDeclared) {
  const auto spec = Spec::Make(test::DeclareKnn(), {});
  EXPECT_TRUE(spec->has_param("p"));
  EXPECT_FALSE(spec->has_param("q"));
}

TEST(ComponentTest, BundledIdsAreShortenedAndOthersAreNot) {
  EXPECT_EQ(ShortId("crossfold.knn"), "knn");
  EXPECT_EQ(ShortId("org.example.knn"), "org.example.knn");
  EXPECT_EQ(ShortId("crossfold."), "crossfold.");
  EXPECT_EQ(ShortId("knn"), "knn");
}

TEST(ComponentTest, EveryKindHasAName) {
  EXPECT_EQ(KindName(Kind::kLearner), "learner");
  EXPECT_EQ(KindName(Kind::kTransform), "transform");
  EXPECT_EQ(KindName(Kind::kSplitter), "splitter");
  EXPECT_EQ(KindName(Kind::kMetric), "metric");
}

TEST(ComponentTest, AParameterIsDescribedWithItsRangeAndDefault) {
  EXPECT_EQ(Describe(test::Real("alpha", 0, 1, 0.5, CF_PF_LO_OPEN)), "real in (0, 1], default 0.5");
  EXPECT_EQ(Describe(test::Integer("k", 1, std::numeric_limits<std::int64_t>::max(), 5)),
            "integer >= 1, default 5");
  EXPECT_EQ(Describe(test::Choice("distance", {"manhattan", "euclidean"}, "euclidean")),
            "one of manhattan, euclidean, default euclidean");
  EXPECT_EQ(Describe(test::OfType("shuffle", CF_P_BOOL, true)), "true or false, default true");
  EXPECT_EQ(Describe(test::OfType("column", CF_P_STRING, std::string("fold"))),
            "string, default 'fold'");
  EXPECT_EQ(Describe(test::OfType("layers", CF_P_INT_LIST, std::vector<std::int64_t>{8, 4})),
            "list of integers, default {8, 4}");
}

TEST(ComponentTest, ADescriptionNamesTheUnitAndTheMissingValue) {
  ParamSpec limit =
      test::Real("limit", 0, std::numeric_limits<double>::infinity(), 1, CF_PF_NULLABLE);
  limit.unit = "seconds";
  limit.default_value = Null{};
  EXPECT_EQ(Describe(limit), "real >= 0, in seconds, or none, default none");
}

TEST(VersionTest, IsThatOfTheProject) { EXPECT_EQ(Version(), "0.1.0"); }

}  // namespace
}  // namespace crossfold
