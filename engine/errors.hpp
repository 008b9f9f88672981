// Errors at the door: what is wrong, where, and what would be right.
#pragma once

#include <tactus/engine/export.hpp>

#include <stdexcept>
#include <string>
#include <vector>

namespace tactus {

// Base of everything that Tactus throws.
class TACTUS_API Error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// One thing that is wrong with an input.
struct TACTUS_API Issue {
    std::string where;    // JSON pointer in a scene file, e.g. /objects/3/mass; empty for a whole file, and from C++
    std::string object;   // name of the object, joint, force element, ... concerned; may be empty
    std::string field;    // e.g. mass, shape.diameter
    std::string value;    // as given
    std::string allowed;  // what would be right

    std::string text() const;  // one line
};

// More issues than this are not shown: nobody would read them.
inline constexpr std::size_t most_issues = 50;

// Leaves the first most_issues; the rest become one that says how many there are more.
TACTUS_API void shorten(std::vector<Issue>& issues);

// A field as the end of a JSON pointer: "shape.diameter" -> "/shape/diameter".
TACTUS_API std::string pointer_of(std::string field);

// Wrong input: the World is as it was before the call.
class TACTUS_API InputError : public Error {
public:
    explicit InputError(std::vector<Issue> issues);
    explicit InputError(Issue issue) : InputError(std::vector<Issue>{std::move(issue)}) {}

    const std::vector<Issue>& issues() const { return issues_; }

private:
    std::vector<Issue> issues_;
};

// A simulation that cannot go on: why, when, and what is concerned. The World is at the last instant that is good, and
// results up to there are kept.
class TACTUS_API SimulationError : public Error {
public:
    SimulationError(double t, const std::string& why, std::vector<std::string> names);

    double time;                        // [s]
    std::vector<std::string> elements;  // names of objects, joints, force elements; may be empty
};

}  // namespace tactus
