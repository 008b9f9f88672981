// Text to JSON: nlohmann's parser reads, the Builder below puts together what it says. A Builder of our own, because a
// scene must not have a key twice, nest without end, or take quadratic time: ordered_json searches all keys of an object
// whenever one is added by name.
#include <tactus/engine/scene/json.hpp>

#include <algorithm>
#include <array>
#include <unordered_set>

namespace tactus::codec {

namespace {

constexpr std::size_t deepest = 32;                    // no scene nests deeper; guards against hostile files
constexpr std::size_t largest = std::size_t{1} << 28;  // [bytes]
constexpr std::size_t few = 16;                        // keys that are searched faster than hashed

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// The word that the character at i belongs to, in small letters.
std::string word_at(std::string_view text, std::size_t i) {
    std::size_t begin = i;
    while (begin > 0 && i - begin < 10 && is_letter(text[begin - 1])) --begin;
    std::string word;
    for (; begin < text.size() && word.size() < 10 && is_letter(text[begin]); ++begin)
        word += static_cast<char>(text[begin] | 0x20);
    return word;
}

// For the mistakes that come from other languages; `read` is the number of bytes up to the one that is wrong.
std::string hint(std::string_view text, std::size_t read) {
    if (read == 0 || read > text.size()) return "";
    const std::size_t at = read - 1;
    const char wrong = text[at];
    if (wrong == '/' || wrong == '#') return " (JSON has no comments)";
    if (wrong == '\'') return " (JSON has its texts and keys in double quotes)";
    if (const std::string word = word_at(text, at);
        word.starts_with("nan") || word == "inf" || word.starts_with("infinity"))
        return " (JSON has no NaN and no infinity)";
    if (wrong == '}' || wrong == ']') {
        std::size_t before = at;
        while (before > 0 && is_space(text[before - 1])) --before;
        if (before > 0 && text[before - 1] == ',') return " (JSON has no comma after the last element)";
    }
    return "";
}

class Builder final : public nlohmann::json_sax<Json> {
public:
    explicit Builder(std::string_view text) : text_{text} {}

    Json take() { return std::move(result_); }

    bool null() override { return add(nullptr); }
    bool boolean(bool value) override { return add(value); }
    bool number_integer(Json::number_integer_t value) override { return add(value); }
    bool number_unsigned(Json::number_unsigned_t value) override { return add(value); }
    bool number_float(Json::number_float_t value, const std::string&) override { return add(value); }
    bool string(std::string& value) override { return add(std::move(value)); }
    bool binary(Json::binary_t&) override { return false; }  // JSON has none

    bool start_object(std::size_t) override { return open(false); }
    bool start_array(std::size_t) override { return open(true); }

    bool key(std::string& key) override {
        Level& level = levels_[depth_ - 1];
        const bool twice = is_known(level, key);
        level.members.emplace_back(std::move(key), Json());
        if (twice) throw InputError({pointer(), "", "", "", "this key stands twice in the same object"});
        return true;
    }

    bool end_object() override {
        Level& level = levels_[--depth_];
        Json json = Json::object();
        auto& object = json.get_ref<Json::object_t&>();
        object.reserve(level.members.size());
        for (auto& [key, value] : level.members) object.emplace_back(std::move(key), std::move(value));
        return add(std::move(json));
    }

    bool end_array() override {
        Json json = Json::array();
        json.get_ref<Json::array_t&>() = std::move(levels_[--depth_].elements);
        return add(std::move(json));
    }

    bool parse_error(std::size_t read, const std::string&, const Json::exception& e) override {
        std::string words = e.what();
        if (const auto bracket = words.find("] "); bracket != std::string::npos) words = words.substr(bracket + 2);
        if (dynamic_cast<const Json::out_of_range*>(&e))  // "number overflow parsing '1e999'" says no place
            words += " (line " + std::to_string(1 + std::count(text_.begin(), text_.begin() + end(read), '\n')) + ")";
        throw InputError({"", "", "", "", "not valid JSON: " + words + hint(text_, read)});
    }

private:
    struct Level {
        bool in_list = false;
        std::vector<Json> elements;                         // of a list so far
        std::vector<std::pair<std::string, Json>> members;  // of an object so far
        std::unordered_set<std::string> keys;               // of its members, once they are many
    };

    std::ptrdiff_t end(std::size_t read) const { return static_cast<std::ptrdiff_t>(std::min(read, text_.size())); }

    bool open(bool in_list) {
        if (depth_ == deepest)
            throw InputError(
                {"", "", "", "",
                 "lists and objects are nested more than " + std::to_string(deepest) + " deep: this is no scene"});
        Level& level = levels_[depth_++];
        level.in_list = in_list;
        level.elements.clear();
        level.members.clear();
        level.keys.clear();
        return true;
    }

    bool add(Json value) {
        if (depth_ == 0)
            result_ = std::move(value);
        else if (Level& level = levels_[depth_ - 1]; level.in_list)
            level.elements.push_back(std::move(value));
        else
            level.members.back().second = std::move(value);
        return true;
    }

    static bool is_known(Level& level, const std::string& key) {
        if (level.members.size() < few)
            return std::any_of(level.members.begin(), level.members.end(),
                               [&key](const auto& member) { return member.first == key; });
        if (level.keys.empty())
            for (const auto& member : level.members) level.keys.insert(member.first);
        return !level.keys.insert(key).second;
    }

    std::string pointer() const {
        std::string text;
        for (std::size_t i = 0; i < depth_; ++i) {
            const Level& level = levels_[i];
            text += "/" + (level.in_list ? std::to_string(level.elements.size())
                                         : schema::pointer_step(level.members.back().first));
        }
        return text;
    }

    std::string_view text_;
    std::array<Level, deepest> levels_;  // of the lists and objects that are not complete yet
    std::size_t depth_ = 0;
    Json result_;
};

}  // namespace

Json parse(std::string_view text) {
    if (text.size() > largest) throw InputError({"", "", "", "", "the file is larger than 256 MiB: this is no scene"});
    Builder builder{text};
    Json::sax_parse(text, &builder);
    return builder.take();
}

}  // namespace tactus::codec
