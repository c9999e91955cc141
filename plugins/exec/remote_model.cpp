#include "remote_model.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <utility>

#include "crossfold_plugin/error.hpp"
#include "crossfold_plugin/view.hpp"

namespace crossfold::exec {
namespace {

using plugin::TrainingView;

std::vector<std::string> ColumnNames(const cf_table& table) {
  std::vector<std::string> names;
  for (std::int64_t j = 0; j < table.n_features; ++j) names.emplace_back(table.features[j].name);
  return names;
}

template <class T>
Buffer Reserve(Child& child, std::int64_t n) {
  return {child.Reserve(static_cast<std::size_t>(n) * sizeof(T)), n};
}

// Writes value_of(0), ... into a reserved place.
template <class T, class ValueOf>
void Fill(Child& child, const Buffer& buffer, const ValueOf& value_of) {
  char* to = child.arena(buffer.at);
  for (std::int64_t i = 0; i < buffer.n; ++i) {
    const T value = static_cast<T>(value_of(i));
    std::memcpy(to + static_cast<std::size_t>(i) * sizeof(T), &value, sizeof(T));
  }
}

template <class T>
void CopyOut(Child& child, const std::optional<Buffer>& buffer, T* to) {
  if (!buffer || buffer->n == 0) return;
  std::memcpy(to, child.arena(buffer->at), static_cast<std::size_t>(buffer->n) * sizeof(T));
}

// Rows of a table with their target, as they stand in the arena.
RowsMessage Place(Child& child, const cf_table& rows, const TableName& name) {
  const TrainingView view(rows);
  const std::int64_t n = view.num_rows();
  RowsMessage message;
  message.table = name;
  if (name.carried == nullptr) message.rows = Reserve<std::int32_t>(child, n);
  message.target =
      view.is_classification() ? Reserve<std::int32_t>(child, n) : Reserve<double>(child, n);
  if (view.has_weights()) message.weights = Reserve<double>(child, n);
  return message;
}

// Fills the places. REQUIRES: no place is reserved after this.
void Fill(Child& child, const RowsMessage& message, const cf_table& rows) {
  const TrainingView view(rows);
  if (message.rows) {
    Fill<std::int32_t>(child, *message.rows, [&](std::int64_t i) { return view.entry(i); });
  }
  if (view.is_classification()) {
    Fill<std::int32_t>(child, *message.target, [&](std::int64_t i) { return view.label(i); });
  } else {
    Fill<double>(child, *message.target, [&](std::int64_t i) { return view.value(i); });
  }
  if (message.weights) {
    Fill<double>(child, *message.weights, [&](std::int64_t i) { return view.weight(i); });
  }
}

// The task and classes of training rows.
void Describe(const cf_table& train, ModelHead& head) {
  const TrainingView view(train);
  for (std::int64_t c = 0; c < view.num_classes(); ++c)
    head.classes.emplace_back(view.class_name(c));
  head.task = !view.is_classification()  ? "regression"
              : head.classes.size() == 2 ? "binary"
                                         : "multiclass";
}

// A table for one request.
class RequestTable {
 public:
  // The rows are of `shared`; null = they go with the request.
  RequestTable(Child& child, const cf_call* call, const SharedTable* shared, const cf_table& rows) {
    if (shared != nullptr) {
      child.Provide(shared->number(), shared->image(), call);
      name_.number = shared->number();
    } else {
      image_.emplace(rows, TableImage::Which::kView);
      name_.carried = &*image_;
    }
  }
  const TableName& name() const { return name_; }

 private:
  TableName name_;
  std::optional<TableImage> image_;
};

void WriteTexts(plugin::Writer& to, const std::vector<std::string>& texts) {
  to.Write(static_cast<std::uint64_t>(texts.size()));
  for (const std::string& text : texts) to.WriteText(text);
}

std::vector<std::string> ReadTexts(plugin::Reader& from) {
  const auto n = from.Read<std::uint64_t>();
  std::vector<std::string> texts;
  for (std::uint64_t i = 0; i < n; ++i) texts.push_back(from.ReadText());
  return texts;
}

}  // namespace

std::unique_ptr<RemoteModel> RemoteModel::Fit(ChildPool& pool, const cf_call* call,
                                              const FitInput& input) {
  std::unique_ptr<RemoteModel> model(new RemoteModel(pool));
  model->head_.component = input.component;
  model->head_.params = input.params;
  Describe(input.train, model->head_);
  model->columns_ = ColumnNames(input.train);
  model->table_ = input.table;

  const ChildPool::Lease lease = pool.Borrow(call);
  Child& child = lease.child();
  const RequestTable train(child, call, input.table.get(), input.train);
  std::optional<RequestTable> validation;
  if (input.validation != nullptr) validation.emplace(child, call, nullptr, *input.validation);
  FitMessage message;
  message.model = model->head_;
  message.train = Place(child, input.train, train.name());
  if (validation) message.validation = Place(child, *input.validation, validation->name());
  Fill(child, message.train, input.train);
  if (validation) Fill(child, *message.validation, *input.validation);
  message.seed = call->seed;
  message.threads = call->n_threads;
  model->Make(child, call, FitRequest(child.Head(), message), {});
  model->Settle(lease.member());
  return model;
}

void RemoteModel::Make(Child& child, const cf_call* call, std::string_view request,
                       std::string_view blob) {
  try {
    child.Ask(call, request, blob);
  } catch (...) {
    child.DropModel(head_.number);  // it may have been made before the call was cancelled
    throw;
  }
}

void RemoteModel::Settle(const ChildPool::MemberPtr& member) {
  member_ = member;
  pool_.AddModel(member);
}

RemoteModel::~RemoteModel() {
  if (member_ != nullptr) pool_.DropModel(member_, head_.number);
}

plugin::ModelShape RemoteModel::shape() const {
  return {.n_features = static_cast<std::int64_t>(columns_.size()),
          .n_classes = static_cast<std::int64_t>(head_.classes.size())};
}

void RemoteModel::Predict(const cf_call* call, const cf_table& rows, cf_prediction& out) const {
  plugin::internal::RequireShape(*this, plugin::FeatureView(rows), out);
  const ChildPool::Lease lease = pool_.Borrow(call, member_);
  Child& child = lease.child();
  // They may be of any dataset.
  const bool is_shared = table_ != nullptr && table_->image().Holds(rows);
  const RequestTable table(child, call, is_shared ? table_.get() : nullptr, rows);
  const std::int64_t n = rows.n_rows;
  PredictMessage message;
  message.model = head_.number;
  message.table = table.name();
  if (message.table.carried == nullptr) message.rows = Reserve<std::int32_t>(child, n);
  if (out.labels != nullptr) message.labels = Reserve<std::int32_t>(child, n);
  if (out.values != nullptr) message.values = Reserve<double>(child, n);
  if (out.probabilities != nullptr) {
    message.probabilities = Reserve<double>(child, n * out.n_classes);
  }
  if (message.rows) {
    const plugin::FeatureView view(rows);
    Fill<std::int32_t>(child, *message.rows, [&](std::int64_t i) { return view.entry(i); });
  }
  child.Ask(call, PredictRequest(child.Head(), message));
  CopyOut(child, message.labels, out.labels);
  CopyOut(child, message.values, out.values);
  CopyOut(child, message.probabilities, out.probabilities);
}

void RemoteModel::Importance(const cf_call* call, std::size_t n_features, double* out) const {
  const ChildPool::Lease lease = pool_.Borrow(call, member_);
  Child& child = lease.child();
  const auto place = Reserve<double>(child, static_cast<std::int64_t>(n_features));
  child.Ask(call, ImportanceRequest(child.Head(), head_.number, place));
  CopyOut<double>(child, place, out);
}

// A loaded model is saved as the bytes that it was loaded from, because a process may write equal
// models in different ways.
void RemoteModel::Save(const cf_call* call, plugin::Writer& to) const {
  to.WriteText(head_.params);
  to.WriteText(head_.task);
  WriteTexts(to, head_.classes);
  WriteTexts(to, columns_);
  if (bytes_.empty()) {
    const ChildPool::Lease lease = pool_.Borrow(call, member_);
    Child& child = lease.child();
    to.WriteText(child.Ask(call, SaveRequest(child.Head(), head_.number)).blob);
  } else {
    to.WriteText(bytes_);
  }
  to.Write(to.checksum());
}

std::unique_ptr<RemoteModel> RemoteModel::Load(ChildPool& pool, const cf_call* call,
                                               const std::string& component, plugin::Reader& from) {
  std::unique_ptr<RemoteModel> model(new RemoteModel(pool));
  model->head_.component = component;
  model->head_.params = from.ReadText();
  model->head_.task = from.ReadText();
  model->head_.classes = ReadTexts(from);
  model->columns_ = ReadTexts(from);
  model->bytes_ = from.ReadText();
  // Before the process of the learner sees any byte: many languages run what they load.
  const std::uint64_t expected = from.checksum();
  if (from.Read<std::uint64_t>() != expected) {
    throw plugin::Error(CF_E_BAD_BLOB, "the saved model is damaged: its checksum does not match");
  }
  if (!IsObject(model->head_.params)) {
    throw plugin::Error(CF_E_BAD_BLOB, "the parameters of the saved model are not a JSON object");
  }
  const ChildPool::Lease lease = pool.Borrow(call);
  Child& child = lease.child();
  const std::string request =
      LoadRequest(child.Head(), model->head_, model->columns_, model->bytes_.size());
  try {
    model->Make(child, call, request, model->bytes_);
  } catch (const plugin::Error& error) {
    if (error.code() != CF_E_INTERNAL || !child.IsAlive()) throw;
    throw plugin::Error(CF_E_BAD_BLOB, error.what());  // it stumbled over the bytes
  }
  model->Settle(lease.member());
  return model;
}

}  // namespace crossfold::exec
