// Any bytes as JSON. What was read is written and read again as the same.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "crossfold/error.h"
#include "crossfold/json_value.h"
#include "fuzz/law.h"
#include "fuzz/targets.h"

int crossfold::fuzz::FeedJsonValue(const std::uint8_t* bytes, std::size_t size) {
  Attempted([&] {
    const std::string text =
        JsonText(crossfold::ReadJson(std::string_view(reinterpret_cast<const char*>(bytes), size)));
    crossfold::fuzz::Demand(JsonText(crossfold::ReadJson(text)) == text,
                            "what is written reads back");
  });
  return 0;
}
