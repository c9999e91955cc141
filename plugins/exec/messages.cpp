#include "messages.h"

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "crossfold_plugin/error.hpp"

namespace crossfold::exec {
namespace {

using Json = nlohmann::json;

// Strings of this process may be anything; the other side gets UTF-8.
std::string Text(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json Request(const char* op, const RequestHead& head) {
  Json json = {{"op", op}};
  if (!head.arena_path.empty()) {
    json["arena"] = {{"path", head.arena_path}, {"bytes", head.arena_bytes}};
  }
  if (!head.dropped_tables.empty()) json["drop"]["tables"] = head.dropped_tables;
  if (!head.dropped_models.empty()) json["drop"]["models"] = head.dropped_models;
  return json;
}

void Add(Json& json, const char* key, const std::optional<Buffer>& buffer) {
  if (buffer) json[key] = {{"at", buffer->at}, {"n", buffer->n}};
}

const char* TypeName(std::int32_t dtype) {
  switch (dtype) {
    case CF_F64:
      return "f64";
    case CF_F32:
      return "f32";
    case CF_I32:
      return "i32";
    case CF_I64:
      return "i64";
    case CF_BOOL8:
      return "bool";
    default:
      return "category";
  }
}

Json ColumnJson(const ImageColumn& column) {
  Json json = {{"name", column.name}, {"type", TypeName(column.dtype)}, {"at", column.at}};
  if (column.validity_at != 0) json["validity"] = column.validity_at;
  if (column.dtype == CF_CAT32) json["levels"] = column.levels;
  if (column.is_ordered) json["ordered"] = true;
  return json;
}

void AddTable(Json& json, const TableImage& table) {
  json["path"] = table.path();
  json["bytes"] = table.bytes();
  json["rows"] = table.num_rows();
  Json columns = Json::array();
  for (const ImageColumn& column : table.columns()) columns.push_back(ColumnJson(column));
  json["columns"] = std::move(columns);
}

void Add(Json& json, const TableName& table) {
  if (table.carried == nullptr) {
    json["table"] = table.number;
  } else {
    AddTable(json["table"], *table.carried);
  }
}

void Add(Json& json, const RowsMessage& rows) {
  Add(json, rows.table);
  Add(json, "rows", rows.rows);
  Add(json, "target", rows.target);
  Add(json, "weights", rows.weights);
}

void Add(Json& json, const ModelHead& model) {
  json["model"] = model.number;
  json["component"] = model.component;
  json["params"] = Json::parse(model.params, nullptr, false);
  json["task"] = model.task;
  json["classes"] = model.classes;
}

template <class List>
Json ListJson(const List& list) {
  Json json = Json::array();
  for (std::size_t i = 0; i < list.n; ++i) json.push_back(list.p[i]);
  return json;
}

Json ValueJson(const cf_value& value, const ParamDescription& param) {
  if (value.is_null != 0) return nullptr;
  switch (param.type) {
    case CF_P_REAL:
      return value.u.r;
    case CF_P_INT:
      return value.u.i;
    case CF_P_BOOL:
      return value.u.i != 0;
    case CF_P_CHOICE:
      return param.choices.at(static_cast<std::size_t>(value.u.i));
    case CF_P_INT_LIST:
      return ListJson(value.u.il);
    case CF_P_REAL_LIST:
      return ListJson(value.u.rl);
    case CF_P_STRING_LIST:
      return ListJson(value.u.sl);
    default:
      break;
  }
  const std::string text(value.u.s.p, value.u.s.n);
  if (!param.is_object) return text;
  Json object = Json::parse(text, nullptr, false);
  if (!object.is_object()) {
    throw plugin::Error(CF_E_INVALID_PARAM, "'" + param.name + "' is not a JSON object: " + text);
  }
  return object;
}

struct Status {
  const char* name;
  cf_status code;
};
constexpr std::array kStatuses = {Status{"invalid_param", CF_E_INVALID_PARAM},
                                  Status{"unsupported_data", CF_E_UNSUPPORTED_DATA},
                                  Status{"not_converged", CF_E_NOT_CONVERGED},
                                  Status{"numeric", CF_E_NUMERIC},
                                  Status{"out_of_memory", CF_E_OUT_OF_MEMORY},
                                  Status{"cancelled", CF_E_CANCELLED},
                                  Status{"bad_blob", CF_E_BAD_BLOB},
                                  Status{"unsupported", CF_E_UNSUPPORTED},
                                  Status{"internal", CF_E_INTERNAL}};
constexpr std::array kLevels = {"debug", "info", "warn", "error"};  // CF_LOG_...

// Returns the string of that key; "" if there is none.
std::string TextOf(const Json& json, const char* key) {
  const auto it = json.find(key);
  return it != json.end() && it->is_string() ? it->get<std::string>() : std::string();
}

std::optional<Answer> ErrorAnswer(const Json& json) {
  const std::string name = TextOf(json, "error");
  Answer answer;
  answer.kind = Answer::Kind::kError;
  answer.message = TextOf(json, "message");
  for (const Status& status : kStatuses) {
    if (name == status.name) answer.status = status.code;
  }
  if (answer.status == CF_OK) return std::nullopt;
  return answer;
}

std::optional<Answer> LogAnswer(const Json& json) {
  const std::string name = TextOf(json, "log");
  Answer answer;
  answer.kind = Answer::Kind::kLog;
  answer.message = TextOf(json, "message");
  for (std::size_t i = 0; i < kLevels.size(); ++i) {
    if (name != kLevels[i]) continue;
    answer.level = static_cast<std::int32_t>(i);
    return answer;
  }
  return std::nullopt;
}

std::optional<Answer> ResultAnswer(const Json& json) {
  Answer answer;
  if (json.contains("blob")) {
    if (!json["blob"].is_number_unsigned()) return std::nullopt;
    answer.blob = json["blob"].get<std::size_t>();
  }
  if (json.contains("protocol") && json["protocol"].is_number_integer()) {
    answer.protocol = json["protocol"].get<std::int64_t>();
  }
  if (!json.contains("environment")) return answer;
  if (!json["environment"].is_object()) return std::nullopt;
  for (const auto& item : json["environment"].items()) {
    if (!item.value().is_string()) return std::nullopt;
    answer.environment.emplace(item.key(), item.value().get<std::string>());
  }
  return answer;
}

}  // namespace

std::string ParamsText(std::span<const cf_arg> args, const FolderDescription& folder) {
  Json json = Json::object();
  for (std::size_t i = 0; i < args.size() && i < folder.params.size(); ++i) {
    json[folder.params[i].name] = ValueJson(args[i].value, folder.params[i]);
  }
  return Text(json);
}

bool IsObject(std::string_view text) { return Json::parse(text, nullptr, false).is_object(); }

std::string HelloRequest() { return R"({"op":"hello","protocol":1})"; }

std::string TableRequest(const RequestHead& head, std::uint64_t number, const TableImage& table) {
  Json json = Request("table", head);
  json["table"] = number;
  AddTable(json, table);
  return Text(json);
}

std::string FitRequest(const RequestHead& head, const FitMessage& message) {
  Json json = Request("fit", head);
  Add(json, message.model);
  Add(json, message.train);
  if (message.validation) Add(json["validation"], *message.validation);
  json["seed"] = message.seed >> 33;
  json["seed_words"] = {message.seed >> 32, message.seed & 0xFFFFFFFFu};
  json["threads"] = message.threads;
  return Text(json);
}

std::string PredictRequest(const RequestHead& head, const PredictMessage& message) {
  Json json = Request("predict", head);
  json["model"] = message.model;
  Add(json, message.table);
  Add(json, "rows", message.rows);
  Add(json, "labels", message.labels);
  Add(json, "values", message.values);
  Add(json, "probabilities", message.probabilities);
  return Text(json);
}

std::string ImportanceRequest(const RequestHead& head, std::uint64_t model, const Buffer& out) {
  Json json = Request("importance", head);
  json["model"] = model;
  Add(json, "importance", out);
  return Text(json);
}

std::string SaveRequest(const RequestHead& head, std::uint64_t model) {
  Json json = Request("save", head);
  json["model"] = model;
  return Text(json);
}

std::string LoadRequest(const RequestHead& head, const ModelHead& model,
                        const std::vector<std::string>& columns, std::size_t blob) {
  Json json = Request("load", head);
  Add(json, model);
  json["columns"] = columns;
  json["blob"] = blob;
  return Text(json);
}

std::optional<Answer> ParseAnswer(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  if (json.contains("error")) return ErrorAnswer(json);
  if (json.contains("log")) return LogAnswer(json);
  if (!json.contains("progress")) return ResultAnswer(json);
  if (!json["progress"].is_number()) return std::nullopt;
  Answer answer;
  answer.kind = Answer::Kind::kProgress;
  answer.progress = json["progress"].get<double>();
  return answer;
}

}  // namespace crossfold::exec
