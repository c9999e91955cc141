// What the name of a column says about its values.
#pragma once

#include <string_view>

namespace crossfold {

// Whether it is one that people give to ids: "id", "customer_id", "CustomerID", "uuid".
bool IsNamedId(std::string_view name);
// Whether it is one that people give to codes, which only look like numbers: "zip", "PostalCode",
// "plz", "phone_number".
bool IsNamedCode(std::string_view name);

}  // namespace crossfold
