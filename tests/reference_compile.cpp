#include <nlohmann/json.hpp>
#include <string>
int main(int, char** words) { return nlohmann::json::parse(std::string(words[0])).is_object() ? 0 : 1; }
