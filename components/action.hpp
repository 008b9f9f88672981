// Action commands: what changes the structure, or waits, while a simulation runs. One after another.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace tactus {

enum class Unmet { Error, Skip, Wait };  // what happens where conditions do not hold; only programs can wait

enum class Merge {
    Still,   // only what hardly moves relative to each other is attached
    Plastic  // any relative motion is lost, as in a plastic impact
};

// How near and how still a lock must be relative to what takes it. Momentum is kept whatever motion is left.
struct AttachConditions {
    std::optional<double> gap = {};    // [m] between the shapes of the two, or else their origins; not set: the scene's
    double velocity = 0.01;            // [m/s] with Merge::Still
    double angular_velocity = 0.1;     // [rad/s] with Merge::Still
    std::optional<double> angle = {};  // [rad] between their axes; not set: any
    Unmet unmet = Unmet::Error;
    Merge merge = Merge::Still;
    bool operator==(const AttachConditions&) const = default;
};

struct Attach {            // the assembly of `lock` becomes fixed to the super-object of `to`, as it stands
    std::string lock, to;  // lockable Object3Ds
    AttachConditions conditions = {};
    double waiting_period = 0.0;                 // [s] until the next command
    std::optional<bool> contact_detection = {};  // from this segment on; not set: as before
    bool operator==(const Attach&) const = default;
};

struct ReleaseAndAttach {  // an attached assembly moves to another super-object
    std::string lock, to;
    AttachConditions conditions = {};
    double waiting_period = 0.0;  // [s]
    std::optional<bool> contact_detection = {};
    bool operator==(const ReleaseAndAttach&) const = default;
};

struct Release {  // the assembly of `lock` moves freely from here on; a joint that held it breaks
    std::string lock;
    double waiting_period = 0.0;  // [s]
    std::optional<bool> contact_detection = {};
    bool operator==(const Release&) const = default;
};

struct Delete {  // the assembly of `lock` leaves the model, with all that hangs on it
    std::string lock;
    double waiting_period = 0.0;  // [s]
    bool operator==(const Delete&) const = default;
};

struct FlipChain {  // the chain held at `old_lock` is held at `new_lock` by `to` instead
    std::string new_lock, to, old_lock;
    AttachConditions conditions = {};
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

// What a condition looks at: motion of an Object3D relative to another one, or what a joint exerts.
enum class Quantity {
    Distance,      // [m] of the origins
    X,             // [m] of the origin, in the axes of the other one; likewise Y, Z
    Y,             //
    Z,             //
    Speed,         // [m/s] of the origin, as seen from the other one
    AngularSpeed,  // [rad/s] likewise
    Force,         // [N] of a joint
    Torque         // [N m] of a joint
};
enum class Side { Above, Below };

struct Until {  // next command as soon as the quantity is above (or below) the limit: found exactly
    Quantity quantity = Quantity::Distance;
    std::string of;         // an Object3D, or a joint
    std::string from = {};  // the other Object3D; empty: the world
    Side is = Side::Above;
    double limit = 0.0;  // in the unit of the quantity
    bool operator==(const Until&) const = default;
};

struct MoveAlongPath {  // point to point in joint space; next command when the last point is reached
    std::string path;   // name of a ReferencePath
    std::vector<std::vector<double>> points;  // rows of via points, [rad] or [m]
    bool operator==(const MoveAlongPath&) const = default;
};

using Action =
    std::variant<Attach, ReleaseAndAttach, Release, Delete, FlipChain, Wait, EventAfterPeriod, Until, MoveAlongPath>;

}  // namespace tactus
