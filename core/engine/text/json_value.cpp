#include "crossfold/json_value.h"

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>

#include "crossfold/error.h"

namespace crossfold {
namespace {

constexpr std::size_t kMaxDepth = 64;
constexpr std::size_t kMaxValues = 10'000'000;

// Gets the parts of a document one after the other. A list or object is built in its final place.
class Builder : public nlohmann::json_sax<nlohmann::json> {
 public:
  JsonValue Take() { return std::move(root_); }
  const std::string& problem() const { return problem_; }

  bool null() override { return Add(Null{}); }
  bool boolean(bool value) override { return Add(value); }
  bool number_integer(number_integer_t value) override { return Add(value); }
  bool number_unsigned(number_unsigned_t value) override { return Add(value); }
  bool number_float(number_float_t value, const string_t& /*text*/) override { return Add(value); }
  bool string(string_t& text) override { return Add(std::move(text)); }
  bool binary(binary_t& /*bytes*/) override { return Fail("has bytes"); }  // not in a text
  bool start_object(std::size_t /*size*/) override { return Open(JsonObject()); }
  bool start_array(std::size_t /*size*/) override { return Open(JsonList()); }
  bool key(string_t& name) override {
    name_ = std::move(name);
    return true;
  }
  bool end_object() override { return Close(); }
  bool end_array() override { return Close(); }
  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const nlohmann::json::exception& error) override {
    constexpr int kTooLarge = 406;  // 1e999 is JSON, but no double
    return Fail((error.id == kTooLarge ? "has a number that is too large at byte "
                                       : "is not JSON at byte ") +
                std::to_string(position));
  }

 private:
  bool Fail(std::string problem) {
    problem_ = std::move(problem);
    return false;
  }

  // Returns the place of the next value; null = there are too many.
  JsonValue* Place() {
    if (++n_values_ > kMaxValues) return nullptr;
    if (open_.empty()) return &root_;
    if (auto* list = std::get_if<JsonList>(&open_.back()->value)) {
      return &list->emplace_back();
    }
    auto& object = std::get<JsonObject>(open_.back()->value);
    object.push_back({std::move(name_), {}});
    return &object.back().value;
  }

  bool Add(JsonValue&& value) {
    JsonValue* place = Place();
    if (place == nullptr) return Fail("has too many values");
    *place = std::move(value);
    return true;
  }

  // An open list or object would move only when its parent grows, and that does not happen before
  // it is closed.
  bool Open(JsonValue&& value) {
    if (open_.size() == kMaxDepth) return Fail("is nested too deeply");
    JsonValue* place = Place();
    if (place == nullptr) return Fail("has too many values");
    *place = std::move(value);
    open_.push_back(place);
    return true;
  }

  bool Close() {
    open_.pop_back();
    return true;
  }

  JsonValue root_;
  std::vector<JsonValue*> open_;
  std::string name_, problem_;
  std::size_t n_values_ = 0;
};

using Json = nlohmann::ordered_json;

// Converts values and moves their contents.
struct Convert {
  Json operator()(Null) const { return nullptr; }
  Json operator()(JsonList& list) const {
    Json converted = Json::array();
    for (JsonValue& element : list) converted.push_back(std::visit(*this, element.value));
    return converted;
  }
  Json operator()(JsonObject& object) const {
    Json converted = Json::object();
    for (JsonMember& member : object) {
      converted[member.name] = std::visit(*this, member.value.value);
    }
    return converted;
  }
  template <class T>
  Json operator()(T& content) const {
    return std::move(content);
  }
};

void SortMembers(JsonValue& json) {
  if (auto* list = std::get_if<JsonList>(&json.value)) {
    for (JsonValue& element : *list) SortMembers(element);
  } else if (auto* object = std::get_if<JsonObject>(&json.value)) {
    std::ranges::stable_sort(*object, {}, &JsonMember::name);
    for (JsonMember& member : *object) SortMembers(member.value);
  }
}

}  // namespace

JsonValue::JsonValue(std::string text) : value(std::move(text)) {}
JsonValue::JsonValue(std::string_view text) : value(std::string(text)) {}
JsonValue::JsonValue(const char* text) : value(std::string(text)) {}
JsonValue::JsonValue(JsonList list) : value(std::move(list)) {}
JsonValue::JsonValue(JsonObject object) : value(std::move(object)) {}

const JsonValue* JsonValue::Find(std::string_view name) const {
  const auto* object = As<JsonObject>();
  if (object == nullptr) return nullptr;
  const auto it = std::find_if(object->rbegin(), object->rend(),
                               [&](const JsonMember& member) { return member.name == name; });
  return it == object->rend() ? nullptr : &it->value;
}

std::optional<JsonValue> ParseJson(std::string_view text, std::string* problem) {
  Builder builder;
  if (nlohmann::json::sax_parse(text, &builder)) return builder.Take();
  if (problem != nullptr) *problem = builder.problem();
  return std::nullopt;
}

JsonValue ReadJson(std::string_view text) {
  std::string problem;
  if (std::optional<JsonValue> json = ParseJson(text, &problem)) return *std::move(json);
  throw Error(ErrorKind::kBadData, "cannot read JSON: it " + problem);
}

std::string JsonText(JsonValue json, int indent) {
  return std::visit(Convert(), json.value).dump(indent, ' ', false, Json::error_handler_t::replace);
}

JsonValue JsonOf(const Value& value) {
  return std::visit(
      [](const auto& content) {
        if constexpr (std::is_same_v<decltype(content), const Nested&>) {
          return ParseJson(content.json).value_or(JsonValue());
        } else {
          return JsonValue(content);
        }
      },
      value);
}

std::string CanonicalJsonText(JsonValue json) {
  SortMembers(json);
  return JsonText(std::move(json));
}

}  // namespace crossfold
