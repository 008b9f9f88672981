// Where in an input we are, and what was found wrong there.
#pragma once

#include <tactus/engine/errors.hpp>
#include <tactus/engine/math.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace tactus::schema {

// A key as a step of a JSON pointer (RFC 6901).
inline std::string pointer_step(std::string_view key) {
    std::string text;
    for (const char c : key) text += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
    return text;
}

class Context {
public:
    Context(std::vector<Issue>& issues, bool in_file) : issues_{issues}, in_file_{in_file} {}

    // The next issues concern this element; field names start here.
    void enter_element(std::string object) {
        object_ = std::move(object);
        element_start_ = steps_.size();
    }
    void leave_element() {
        object_.clear();
        element_start_ = 0;
    }
    const std::string& object() const { return object_; }

    void fail(std::string value, std::string allowed) const {
        issues_.push_back({pointer(), object_, field(), std::move(value), std::move(allowed)});
    }
    std::size_t count() const { return issues_.size(); }

    // One step down while it lives: a key of an object or an index of a list.
    class Step {
    public:
        Step(Context& context, std::string_view key) : context_{context} { context.steps_.emplace_back(key); }
        Step(Context& context, std::size_t index) : context_{context} {
            context.steps_.push_back(std::to_string(index));
        }
        ~Step() { context_.steps_.pop_back(); }
        Step(const Step&) = delete;
        Step& operator=(const Step&) = delete;

    private:
        Context& context_;
    };

    std::string pointer() const {  // JSON pointer (RFC 6901); empty: the whole file
        std::string text;
        if (!in_file_) return text;
        for (const std::string& step : steps_) text += "/" + pointer_step(step);
        return text;
    }
    std::string field() const {
        std::string text;
        for (std::size_t i = element_start_; i < steps_.size(); ++i) text += (text.empty() ? "" : ".") + steps_[i];
        return text;
    }

private:
    std::vector<Issue>& issues_;
    bool in_file_;
    std::string object_;
    std::size_t element_start_ = 0;
    std::vector<std::string> steps_;
};

// Values as a person would write them.
std::string text_of(double value);
std::string text_of(const Vec3& value);
std::string text_of(const Mat3& value);
inline std::string text_of(int value) { return std::to_string(value); }
inline std::string text_of(bool value) { return value ? "true" : "false"; }
inline std::string numbers_text(std::size_t count) {
    return std::to_string(count) + (count == 1 ? " number" : " numbers");
}
inline std::string in_quotes(std::string_view value) { return "\"" + std::string{value} + "\""; }

// "a, b, c"
std::string joined(const std::vector<std::string>& words);

// The nearest of the given words, if one is near enough to be what was meant; else empty.
std::string nearest(std::string_view word, const std::vector<std::string>& words);

// "; did you mean X?" for the nearest of the words. If none is near: all of them after the words of `otherwise`
// ("; allowed are a, b, c"), or nothing if that is empty.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& words, std::string_view otherwise = "");

}  // namespace tactus::schema
