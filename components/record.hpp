// Records: signals that a simulation keeps besides those that every element has.
#pragma once

#include <tactus/components/entity.hpp>

#include <variant>

namespace tactus {

struct ContactRecord {  // what acts between two collidable Solids; missing while they do not touch
    Ref object1, object2;
    Ref coordinates;  // axes of vectors; empty: the world
    bool operator==(const ContactRecord&) const = default;
};

struct SensorRecord {  // motion of an object relative to another
    Ref object;
    Ref origin;       // empty: the world
    Ref coordinates;  // axes of vectors; empty: those of origin
    Ref observer;     // in which vectors are differentiated; empty: coordinates
    bool operator==(const SensorRecord&) const = default;
};

using RecordType = std::variant<ContactRecord, SensorRecord>;

// Written by World.
struct Record {
    RecordType type;
};

// A parameter that is only known up to a standard deviation. Kept by World.
struct Uncertainty {
    std::string parameter;   // element and field, e.g. "bar.massProperties.mass"; a vector or tensor varies as a whole
    double deviation = 0.0;  // in the unit of the parameter
    bool operator==(const Uncertainty&) const = default;
};

}  // namespace tactus
