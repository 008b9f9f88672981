// Action commands: what changes the structure, or waits, while a simulation runs. One after another.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace tactus {

struct Attach {                   // the assembly of `lock` becomes fixed to the super-object of `to`, as it stands
    std::string lock, to;         // lockable Object3Ds
    double waiting_period = 0.0;  // [s] until the next command
    std::optional<bool> contact_detection = {};  // from this segment on; not set: as before
    bool operator==(const Attach&) const = default;
};

struct ReleaseAndAttach {  // an attached assembly moves to another super-object
    std::string lock, to;
    double waiting_period = 0.0;  // [s]
    std::optional<bool> contact_detection = {};
    bool operator==(const ReleaseAndAttach&) const = default;
};

struct Release {  // the assembly of `lock` moves freely from here on
    std::string lock;
    double waiting_period = 0.0;  // [s]
    std::optional<bool> contact_detection = {};
    bool operator==(const Release&) const = default;
};

struct Delete {  // the assembly of `lock` leaves the model
    std::string lock;
    double waiting_period = 0.0;  // [s]
    bool operator==(const Delete&) const = default;
};

struct FlipChain {  // the chain held at `old_lock` is held at `new_lock` by `to` instead
    std::string new_lock, to, old_lock;
    double waiting_period = 0.0;  // [s]
    std::optional<bool> contact_detection = {};
    bool operator==(const FlipChain&) const = default;
};

struct Wait {             // next command after this time
    double period = 0.0;  // [s]
    bool operator==(const Wait&) const = default;
};

struct EventAfterPeriod {  // as Wait, and an event there
    double period = 0.0;   // [s]
    bool operator==(const EventAfterPeriod&) const = default;
};

struct MoveAlongPath {  // point to point in joint space; next command when the last point is reached
    std::string path;   // name of a ReferencePath
    std::vector<std::vector<double>> points;  // rows of via points, [rad] or [m]
    bool operator==(const MoveAlongPath&) const = default;
};

using Action =
    std::variant<Attach, ReleaseAndAttach, Release, Delete, FlipChain, Wait, EventAfterPeriod, MoveAlongPath>;

}  // namespace tactus
