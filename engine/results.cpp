#include <tactus/engine/results.hpp>

#include <tactus/engine/errors.hpp>

#include <nlohmann/json.hpp>

#include <charconv>
#include <cmath>
#include <fstream>

namespace tactus {

namespace {

// The shortest text that reads back as the same number; nothing for a missing one.
void append_number(std::string& text, double x) {
    if (std::isnan(x)) return;
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, x).ptr;
    text.append(digits, end);
}

// A name as a CSV field.
std::string quoted(const std::string& name) {
    if (name.find_first_of(",\"\n") == std::string::npos) return name;
    std::string text = "\"";
    for (const char c : name) text += c == '"' ? std::string{"\"\""} : std::string{c};
    return text + '"';
}

}  // namespace

const Signal* Results::find(std::string_view name) const {
    for (const Signal& signal : signals)
        if (signal.name == name) return &signal;
    return nullptr;
}

void Results::clear() {
    time.clear();
    signals.clear();
}

std::string to_csv(const Results& results) {
    std::string text = "time";
    for (const Signal& signal : results.signals)
        for (std::size_t i = 0; i < signal.size; ++i)
            text += ',' + quoted(signal.size == 1 ? signal.name : signal.name + "[" + std::to_string(i + 1) + "]");
    text += '\n';
    for (std::size_t k = 0; k < results.time.size(); ++k) {
        append_number(text, results.time[k]);
        for (const Signal& signal : results.signals)
            for (std::size_t i = 0; i < signal.size; ++i) {
                text += ',';
                append_number(text, signal.values[k * signal.size + i]);
            }
        text += '\n';
    }
    return text;
}

std::string to_json(const Results& results) {
    using Json = nlohmann::ordered_json;
    Json signals = Json::object();
    for (const Signal& signal : results.signals) {
        Json values = Json::array();
        for (std::size_t k = 0; k < results.time.size(); ++k) {
            const double* at = signal.values.data() + k * signal.size;
            if (std::isnan(*at))
                values.push_back(nullptr);
            else if (signal.size == 1)
                values.push_back(*at);
            else
                values.push_back(std::vector<double>(at, at + signal.size));
        }
        signals[signal.name] = {{"unit", signal.unit}, {"values", std::move(values)}};
    }
    return Json{{"time", results.time}, {"signals", std::move(signals)}}.dump() + '\n';
}

void write_results(const Results& results, const std::filesystem::path& file) {
    const std::string extension = file.extension().string();
    if (extension != ".csv" && extension != ".json")
        throw InputError({"", "", "results", file.string(), "must end in .csv or .json"});
    const std::string text = extension == ".csv" ? to_csv(results) : to_json(results);
    std::filesystem::path part = file;
    part += ".part";
    {
        std::ofstream out{part, std::ios::binary};
        out << text;
        out.flush();
        if (!out) throw InputError({"", "", "results", file.string(), "cannot be written"});
    }
    std::error_code error;
    std::filesystem::rename(part, file, error);
    if (error) throw InputError({"", "", "results", file.string(), "cannot be written: " + error.message()});
}

}  // namespace tactus
