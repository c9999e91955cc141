// Models that live in a process of the learner, and the tables that such processes share with this
// one.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "child_pool.h"
#include "crossfold_plugin.h"
#include "crossfold_plugin/model_shape.hpp"
#include "crossfold_plugin/stream.hpp"
#include "messages.h"
#include "table_image.h"

namespace crossfold::exec {

// The features of a dataset, for every fold. Immutable. The processes that have it forget it with
// this object.
class SharedTable {
 public:
  SharedTable(ChildPool& pool, const cf_table& table)
      : pool_(pool), number_(pool.NewNumber()), image_(table, TableImage::Which::kAll) {}
  ~SharedTable() { pool_.DropTable(number_); }
  SharedTable(const SharedTable&) = delete;
  SharedTable& operator=(const SharedTable&) = delete;

  std::uint64_t number() const { return number_; }
  const TableImage& image() const { return image_; }

 private:
  ChildPool& pool_;
  std::uint64_t number_;
  TableImage image_;
};
using SharedTablePtr = std::shared_ptr<const SharedTable>;

// Immutable. Its functions are thread-safe; calls for models of the same process wait for each
// other. They throw plugin::Error.
class RemoteModel {
 public:
  // What fit() gets.
  struct FitInput {
    const std::string& component;
    std::string params;          // a JSON object
    const cf_table& train;       // with a target
    const cf_table* validation;  // with a target; null = none
    SharedTablePtr table;        // made of the dataset of `train`; null = none
  };
  static std::unique_ptr<RemoteModel> Fit(ChildPool& pool, const cf_call* call,
                                          const FitInput& input);
  // Reads what Save() wrote for the same component. `from` has not read anything else but what the
  // caller wrote before Save().
  static std::unique_ptr<RemoteModel> Load(ChildPool& pool, const cf_call* call,
                                           const std::string& component, plugin::Reader& from);
  // The process forgets the model.
  ~RemoteModel();
  RemoteModel(const RemoteModel&) = delete;
  RemoteModel& operator=(const RemoteModel&) = delete;

  plugin::ModelShape shape() const;

  // Writes the arrays that `out` asks for.
  void Predict(const cf_call* call, const cf_table& rows, cf_prediction& out) const;
  void Importance(const cf_call* call, std::size_t n_features, double* out) const;
  void Save(const cf_call* call, plugin::Writer& to) const;

 private:
  explicit RemoteModel(ChildPool& pool) : pool_(pool) { head_.number = pool.NewNumber(); }

  // Has the process make the model.
  void Make(Child& child, const cf_call* call, std::string_view request, std::string_view blob);
  void Settle(const ChildPool::MemberPtr& member);

  ChildPool& pool_;
  ChildPool::MemberPtr member_;  // where it lives; null = nowhere yet
  ModelHead head_;
  std::vector<std::string> columns_;
  SharedTablePtr table_;  // that it was fitted with; null = none
  std::string bytes_;     // of a loaded model
};

}  // namespace crossfold::exec
