// Boosting from lists in scratch memory against boosting in memory.
#include <gtest/gtest.h>

#include <cstdint>

#include "adaboost/boosting.h"
#include "crossfold_plugin/context.hpp"
#include "crossfold_plugin/random.hpp"
#include "tree/attribute_lists.h"
#include "tree/columns.h"
#include "tree/ordered_rows.h"
#include "unit/plugins/random_tables.h"

namespace crossfold::bundled::adaboost {
namespace {

using tree::OneOf;

void DrawTable(tree::Table& table, plugin::Random& random) {
  const std::size_t n = 2 + random.Below(random.Below(3) == 0 ? 12 : 600);
  const bool only_numbers = random.Below(2) == 0;
  for (std::uint64_t j = random.Below(6) + 1; j > 0; --j) {
    if (!only_numbers) {
      tree::AddRandomColumn(table, n, random);
      continue;
    }
    const std::uint64_t kind = random.Below(6);
    std::vector<double> numbers(n);
    for (double& x : numbers) x = tree::Draw(random, kind);
    table.AddNumbers(std::move(numbers));
  }
  table.n_classes = OneOf<std::int64_t>(random, {2, 2, 3, 5});
  for (std::size_t i = 0; i < n; ++i) {
    const auto label = random.Below(static_cast<std::uint64_t>(table.n_classes));
    table.labels.push_back(static_cast<std::int32_t>(random.Below(3) > 0 ? 0 : label));
  }
  tree::DrawView(table, n, random);
  tree::DrawWeights(table, table.view.empty() ? n : table.view.size(), random);
}

void ExpectSame(const Boosted& a, const Boosted& b) {
  ASSERT_EQ(a.hypotheses.size(), b.hypotheses.size());
  EXPECT_EQ(a.priors, b.priors);
  EXPECT_EQ(a.stop, b.stop);
  for (std::size_t t = 0; t < a.hypotheses.size(); ++t) {
    ASSERT_EQ(tree::BytesOf(a.hypotheses[t].tree), tree::BytesOf(b.hypotheses[t].tree)) << t;
    EXPECT_EQ(a.hypotheses[t].error, b.hypotheses[t].error) << t;
    EXPECT_EQ(a.hypotheses[t].weight, b.hypotheses[t].weight) << t;
  }
}

TEST(AdaBoostListsTest, HypothesesHaveTheBytesOfThoseGrownInMemory) {
  cf_host host{};
  host.struct_size = sizeof(host);
  cf_call call{};
  call.struct_size = sizeof(call);
  call.host = &host;
  const plugin::Context context(call);
  for (std::uint64_t trial = 0; trial < 300; ++trial) {
    SCOPED_TRACE(trial);
    plugin::Random random(trial);
    tree::Table table;
    DrawTable(table, random);
    BoostParams params;
    params.rounds = 8;
    params.max_depth = OneOf<std::int64_t>(random, {1, 1, 1, 3});
    params.algorithm = OneOf(random, {Algorithm::kM1, Algorithm::kSamme});
    const plugin::TrainingView view = table.View();
    const tree::OrderedRows rows(view);
    ExpectSame(Boost(params, tree::MakeTrainingColumns(view), context),
               BoostByLists(params, rows, tree::AttributeLists(rows, nullptr), context));
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace crossfold::bundled::adaboost
