#include <tactus/engine/schema/check.hpp>

#include <tactus/engine/utf8.hpp>

namespace tactus::schema {

namespace {

bool within(double value, const Rule& rule) {
    return std::isfinite(value) && (rule.above_min ? value > rule.min : value >= rule.min) &&
           (rule.below_max ? value < rule.max : value <= rule.max);
}

}  // namespace

std::string allowed_text(const Rule& rule) {
    const std::string unit = rule.unit.empty() ? "" : " [" + std::string{rule.unit} + "]";
    const bool low = std::isfinite(rule.min);
    const bool high = std::isfinite(rule.max);
    if (!low && !high) return "must be a finite number" + unit;
    std::string text = "must be ";
    if (low) text += (rule.above_min ? "> " : ">= ") + text_of(rule.min);
    if (low && high) text += " and ";
    if (high) text += (rule.below_max ? "< " : "<= ") + text_of(rule.max);
    return text + unit;
}

void check(double value, const Rule& rule, Context& context) {
    if (!within(value, rule)) return context.fail(text_of(value), allowed_text(rule));
    if (rule.not_zero && value == 0.0) context.fail(text_of(value), "must not be 0");
}

void check(int value, const Rule& rule, Context& context) {
    if (!within(value, rule)) context.fail(text_of(value), allowed_text(rule));
}

void check_utf8(const std::string& value, Context& context) {
    if (!is_utf8(value)) context.fail(in_quotes(value), "must be valid UTF-8");
}

void check(const Vec3& value, const Rule& rule, Context& context) {
    for (int i = 0; i < 3; ++i)
        if (!within(value[i], rule)) return context.fail(text_of(value), "each element " + allowed_text(rule));
    if (rule.not_zero && value.isZero(0.0)) context.fail(text_of(value), "must not have length 0");
}

void check(const Mat3& value, const Rule&, Context& context) {
    if (!value.allFinite()) context.fail("a matrix with NaN or infinity", "all elements must be finite numbers");
}

void check(const Rotation& value, const Rule&, Context& context) {
    if (!value.given_quaternion()) return check(value.given_angles(), any("rad"), context);
    const double norm = value.given_quaternion()->norm();
    if (!(std::abs(norm - 1.0) < 1e-6))
        context.fail("a quaternion of norm " + text_of(norm), "the norm must be 1 (within 1e-6)");
}

void check(const Axis& value, const Rule&, Context& context) {
    if (value.given_coordinate() == 0) return check(value.given_direction(), direction(), context);
    if (std::abs(value.given_coordinate()) > 3)
        context.fail(text_of(value.given_coordinate()), "must be 1, 2, 3, -1, -2, -3 or a vector");
}

void check(const std::string& value, const Rule& rule, Context& context) {
    if (rule.not_empty && value.empty()) context.fail("\"\"", "must not be empty");
    check_utf8(value, context);
}

void check(const Ref& value, const Rule& rule, Context& context) {
    if (value.empty() && !rule.may_be_ground) context.fail("", "is missing");
    check_utf8(value.path, context);
}

void check(const Color& value, const Rule&, Context& context) {
    for (const int part : value.rgb)
        if (part < 0 || part > 255)
            return context.fail(value.name.empty() ? "a colour part of " + text_of(part) : in_quotes(value.name),
                                "must be a known colour name or three numbers from 0 to 255");
}

}  // namespace tactus::schema
