#include "crossfold/pipeline.h"

#include <gtest/gtest.h>

#include <string>

#include "crossfold/error.h"
#include "unit/engine/data/refusal.h"
#include "unit/engine/plugin/declared_components.h"

namespace crossfold {
namespace {

using Steps = std::vector<std::shared_ptr<const Spec>>;

std::shared_ptr<const Spec> Knn() {
  return Spec::Make(test::DeclareKnn(), {{"k", std::int64_t{7}}});
}

std::shared_ptr<const Spec> Select() {
  return Spec::Make(test::Declare(Kind::kTransform, "org.example.select",
                                  {test::Integer("k", 1, 100, 10), test::Real("ratio", 0, 1, 0.5)}),
                    {});
}

template <class Body>
std::string PipelineError(Body&& body) {
  return RefusedArgument(body);
}

TEST(PipelineTest, HasTransformsAndThenALearner) {
  const auto pipeline = Pipeline::Make({Select(), Knn()});
  EXPECT_EQ(pipeline->ToString(), "org.example.select|knn{k=7}");
  EXPECT_EQ(pipeline->transforms().size(), 1u);
  EXPECT_EQ(pipeline->learner().ToString(), "knn{k=7}");
}

TEST(PipelineTest, ALearnerAloneIsAPipeline) {
  const auto pipeline = Pipeline::Make({Knn()});
  EXPECT_EQ(pipeline->ToString(), "knn{k=7}");
  EXPECT_TRUE(pipeline->transforms().empty());
}

TEST(PipelineTest, StepsInTheWrongPlaceAreAllNamed) {
  EXPECT_EQ(PipelineError([] {
              Pipeline::Make({Knn(), Select()});
            }),
            "cannot make pipeline 'knn|org.example.select': 2 problems: (1) step 1, 'knn', is a "
            "learner; every step before the last must be a transform; (2) step 2, "
            "'org.example.select', is a transform; the last step must be a learner");
}

TEST(PipelineTest, NoStepsAreNoPipeline) {
  EXPECT_EQ(PipelineError([] { Pipeline::Make({}); }),
            "cannot make pipeline '': it has no steps; the last step must be a learner");
}

TEST(PipelineTest, APlainNameFindsTheOneStepThatHasIt) {
  const auto pipeline = Pipeline::Make({Select(), Knn()});
  EXPECT_EQ(pipeline->With({{"ratio", 0.25}, {"weights", std::string("distance")}})->ToString(),
            "org.example.select{ratio=0.25}|knn{k=7,weights=distance}");
}

TEST(PipelineTest, AQualifiedNameChoosesTheStep) {
  const auto pipeline = Pipeline::Make({Select(), Knn()});
  EXPECT_EQ(pipeline->With({{"knn.k", std::int64_t{9}}, {"org.example.select.k", 3.0}})->ToString(),
            "org.example.select{k=3}|knn{k=9}");
  EXPECT_EQ(pipeline->With({{"crossfold.knn.k", std::int64_t{9}}})->ToString(),
            "org.example.select|knn{k=9}");
}

TEST(PipelineTest, StepsWithoutChangesAreShared) {
  const auto pipeline = Pipeline::Make({Select(), Knn()});
  EXPECT_EQ(pipeline->With({{"knn.k", std::int64_t{9}}})->steps()[0], pipeline->steps()[0]);
}

TEST(PipelineTest, AnAmbiguousNameGetsTheStepsThatHaveIt) {
  const auto pipeline = Pipeline::Make({Select(), Knn()});
  EXPECT_EQ(PipelineError([&] {
              pipeline->With({{"k", std::int64_t{9}}});
            }),
            "cannot change 'org.example.select|knn{k=7}': parameter 'k' is ambiguous: "
            "org.example.select.k (step 1), knn.k (step 2)");
}

TEST(PipelineTest, TheNumberOfAStepTellsStepsOfOneIdApart) {
  const auto pipeline = Pipeline::Make({Select(), Select(), Knn()});
  const auto changed = pipeline->With({{"2.ratio", 0.25}});
  EXPECT_EQ(changed->steps()[0], pipeline->steps()[0]);
  EXPECT_EQ(changed->steps()[1]->ToString(), "org.example.select{ratio=0.25}");
  EXPECT_EQ(PipelineError([&] { pipeline->Find("ratio"); }),
            "cannot change 'org.example.select|org.example.select|knn{k=7}': parameter 'ratio' is "
            "ambiguous: 1.ratio (org.example.select), 2.ratio (org.example.select)");
}

TEST(PipelineTest, AllProblemsOfAChangeAreToldAtOnce) {
  const auto pipeline = Pipeline::Make({Select(), Knn()});
  EXPECT_EQ(PipelineError([&] {
              pipeline->With({{"rato", 0.5}, {"ratio", 2.0}, {"knn.k", std::int64_t{0}}});
            }),
            "cannot change 'org.example.select|knn{k=7}': 3 problems: (1) unknown parameter "
            "'rato'; did you mean 'ratio'? known: distance, knn.k, org.example.select.k, p, ratio, "
            "weights; (2) org.example.select: ratio = 2 is out of range; it must be a number in "
            "[0, 1]; (3) knn: k = 0 is out of range; it must be an integer in [1, 1000000]");
}

TEST(PipelineTest, OneParameterUnderTwoNamesIsAProblem) {
  const auto pipeline = Pipeline::Make({Knn()});
  EXPECT_EQ(PipelineError([&] {
              pipeline->With({{"k", std::int64_t{3}}, {"knn.k", std::int64_t{5}}});
            }),
            "cannot change 'knn{k=7}': parameter 'knn.k' is given twice");
}

TEST(PipelineTest, ASingleStepIsNotNamedInItsProblems) {
  EXPECT_EQ(
      PipelineError([] {
        Pipeline::Make({Knn()})->With({{"k", std::int64_t{0}}});
      }),
      "cannot change 'knn{k=7}': k = 0 is out of range; it must be an integer in [1, 1000000]");
}

TEST(PipelineTest, FindTellsTheStepAndTheDeclaration) {
  const auto pipeline = Pipeline::Make({Select(), Knn()});
  const Pipeline::Param found = pipeline->Find("knn.k");
  EXPECT_EQ(found.step, 1u);
  EXPECT_EQ(found.spec->name, "k");
  EXPECT_EQ(found.spec->ihi, 1000000);
  EXPECT_EQ(pipeline->Find("ratio").step, 0u);
}

TEST(PipelineTest, FindRefusesWhatWithRefuses) {
  const auto pipeline = Pipeline::Make({Select(), Knn()});
  EXPECT_EQ(PipelineError([&] { pipeline->Find("k"); }),
            "cannot change 'org.example.select|knn{k=7}': parameter 'k' is ambiguous: "
            "org.example.select.k (step 1), knn.k (step 2)");
  EXPECT_EQ(PipelineError([&] { pipeline->Find("weight"); }),
            "cannot change 'org.example.select|knn{k=7}': unknown parameter 'weight'; did you mean "
            "'weights'? known: distance, knn.k, org.example.select.k, p, ratio, weights");
}

TEST(PipelineTest, ChangesWithoutEffectCanBeLeftOut) {
  const auto pipeline = Pipeline::Make({Select(), Knn()});
  const ParamValues inactive = {{"distance", std::string("euclidean")}, {"knn.p", 3.0}};
  const ParamValues active = {{"distance", std::string("minkowski")}, {"knn.p", 3.0}};
  EXPECT_EQ(pipeline->WithoutInactive(inactive),
            (ParamValues{{"distance", std::string("euclidean")}}));
  EXPECT_EQ(pipeline->WithoutInactive(active), active);
}

TEST(PipelineTest, WhatDependsOnAParameterOfTheStepGoesByItsValue) {
  const auto minkowski =
      Pipeline::Make({Spec::Make(test::DeclareKnn(), {{"distance", std::string("minkowski")}})});
  EXPECT_EQ(minkowski->WithoutInactive({{"p", 3.0}}), (ParamValues{{"p", 3.0}}));
  EXPECT_EQ(Pipeline::Make({Knn()})->WithoutInactive({{"p", 3.0}}), ParamValues{});
}

TEST(PipelineTest, NamesThatAreNotKnownAreNotLeftOut) {
  const ParamValues unknown = {{"q", 3.0}};
  EXPECT_EQ(Pipeline::Make({Knn()})->WithoutInactive(unknown), unknown);
}

TEST(PipelineTest, EntriesOfObjectsHaveDottedNamesAfterThoseOfTheirStep) {
  ParamSpec settings = test::OfType("settings", CF_P_STRING, std::string("{}"));
  settings.flags = CF_PF_OBJECT;
  const auto with_settings = [&](Kind kind, const char* id) {
    return Spec::Make(test::Declare(kind, id, {settings}), {});
  };
  const auto one = Pipeline::Make({Select(), with_settings(Kind::kLearner, "org.example.fit")});
  EXPECT_EQ(one->With({{"settings.k", std::int64_t{1}},
                       {"2.settings.a.b", true},
                       {"org.example.fit.settings.c", true},
                       {"k", std::int64_t{3}}})
                ->ToString(),
            R"(org.example.select{k=3}|org.example.fit{settings={"a":{"b":true},"c":true,"k":1}})");
  EXPECT_EQ(one->Find("2.settings.a.b").name, "settings.a.b");
  EXPECT_EQ(one->Find("2.settings.a.b").spec->name, "settings");

  const auto two = Pipeline::Make({with_settings(Kind::kTransform, "crossfold.scale"),
                                   with_settings(Kind::kLearner, "org.example.fit")});
  EXPECT_EQ(PipelineError([&] {
              two->With({{"settings.k", true}});
            }),
            "cannot change 'scale|org.example.fit': parameter 'settings.k' is ambiguous: "
            "scale.settings.k (step 1), org.example.fit.settings.k (step 2)");
  EXPECT_EQ(two->With({{"scale.settings.k", true}})->ToString(),
            R"(scale{settings={"k":true}}|org.example.fit)");
}

}  // namespace
}  // namespace crossfold
