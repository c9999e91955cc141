#include "engine/plugin/fit_memory.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "unit/engine/plugin/declared_components.h"

namespace crossfold {
namespace {

// A learner that copies its numeric features, and fails for more than 100 rows.
cf_status CF_CALL BytesOfCopies(const cf_call* call, const cf_arg*, std::size_t,
                                const cf_shape* shape, std::uint64_t* bytes) {
  *bytes = static_cast<std::uint64_t>(shape->n_rows * shape->n_numeric * 8 + shape->n_classes) +
           call->n_threads * 1000;
  return shape->n_rows <= 100 ? CF_OK : CF_E_UNSUPPORTED;
}
const cf_cap_fit_memory kTable{sizeof(cf_cap_fit_memory), 0, &BytesOfCopies};

std::shared_ptr<const Spec> Learner(bool declares) {
  auto component = std::make_shared<Component>();
  component->id = "test.copies";
  if (declares) component->capabilities.push_back({CF_CAP_FIT_MEMORY, &kTable});
  return Spec::Make(std::move(component), {});
}

std::shared_ptr<const Dataset> Data() {
  std::vector<Column> columns;
  columns.push_back(Column::Doubles("x", {1, 2}));
  columns.push_back(Column::Integers("i", {1, 2}));
  columns.push_back(Column::Categories("colour", {0, 1}, {"red", "blue"}));
  columns.push_back(Column::Categories("class", {0, 1}, {"a", "b", "c"}));
  return Dataset::Create("d", std::move(columns), {.target = "class"});
}

TEST(FitMemoryTest, ItIsAskedForTheTrainingRowsWithTheFeaturesAndClassesOfTheData) {
  EXPECT_EQ(FitMemory(*Learner(true), *Data(), 50), 50u * 2 * 8 + 3 + 1000);
  EXPECT_EQ(FitMemory(*Learner(true), *Data(), 50, 2), 50u * 2 * 8 + 3 + 2000);
}

TEST(FitMemoryTest, ALearnerThatDoesNotSayOrFailsHasNone) {
  EXPECT_EQ(FitMemory(*Learner(false), *Data(), 50), std::nullopt);
  EXPECT_EQ(FitMemory(*Learner(true), *Data(), 101), std::nullopt);
}

}  // namespace
}  // namespace crossfold
