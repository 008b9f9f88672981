// Field tables of actions.
#pragma once

#include <tactus/engine/definitions.hpp>
#include <tactus/engine/schema/check.hpp>
#include <tactus/engine/schema/field.hpp>

#include <array>

namespace tactus::schema {

inline constexpr std::string_view wait_doc = "until the next command";
inline constexpr std::string_view contact_doc = "whether contacts are handled from here on; left out: as before";
inline constexpr Rule period = at_least(0, "s");

template<> struct EnumNames<Unmet> { static constexpr std::array names{"Error", "Skip", "Wait"}; };
template<> struct EnumNames<Merge> { static constexpr std::array names{"Still", "Plastic"}; };
template<> struct EnumNames<Side> { static constexpr std::array names{"Above", "Below"}; };
template<> struct EnumNames<Quantity> {
    static constexpr std::array names{"Distance", "X", "Y", "Z", "Speed", "AngularSpeed", "Force", "Torque"};
};
template<> struct Describe<AttachConditions> {
    static constexpr std::string_view name = "AttachConditions",
                                      doc = "how near and how still a lock must be relative to what takes it";
    static constexpr auto fields = std::tuple{
        Field{"gap", &AttachConditions::gap, positive("m"),
              "between the shapes of the two, or else their origins; left out: that of the scene"},
        Field{"velocity", &AttachConditions::velocity, at_least(0, "m/s"), "relative, unless merge is Plastic"},
        Field{"angularVelocity", &AttachConditions::angular_velocity, at_least(0, "rad/s"),
              "relative, unless merge is Plastic"},
        Field{"angle", &AttachConditions::angle, at_least(0, "rad"), "between their axes; left out: any"},
        Field{"unmet", &AttachConditions::unmet, any(), "what happens where the conditions do not hold"},
        Field{"merge", &AttachConditions::merge, any(),
              "Still: only what hardly moves; Plastic: relative motion is lost, momentum is kept"}};
};
inline constexpr std::string_view conditions_doc = "how near and how still it must be";

template<> struct Describe<Attach> {
    static constexpr std::string_view name = "Attach", doc = "fixes an assembly where it stands";
    static constexpr auto fields =
        std::tuple{Field{"lock", &Attach::lock, required(), "lockable object of the assembly"},
                   Field{"to", &Attach::to, required(), "lockable object that takes it"},
                   Field{"conditions", &Attach::conditions, any(), conditions_doc},
                   Field{"waitingPeriod", &Attach::waiting_period, period, wait_doc},
                   Field{"contactDetection", &Attach::contact_detection, any(), contact_doc}};
};
template<> struct Describe<ReleaseAndAttach> {
    static constexpr std::string_view name = "ReleaseAndAttach", doc = "moves an attached assembly to another object";
    static constexpr auto fields =
        std::tuple{Field{"lock", &ReleaseAndAttach::lock, required(), "lockable object of the assembly"},
                   Field{"to", &ReleaseAndAttach::to, required(), "lockable object that takes it"},
                   Field{"conditions", &ReleaseAndAttach::conditions, any(), conditions_doc},
                   Field{"waitingPeriod", &ReleaseAndAttach::waiting_period, period, wait_doc},
                   Field{"contactDetection", &ReleaseAndAttach::contact_detection, any(), contact_doc}};
};
template<> struct Describe<Release> {
    static constexpr std::string_view name = "Release",
                                      doc = "lets an assembly move freely; breaks a joint that holds it";
    static constexpr auto fields =
        std::tuple{Field{"lock", &Release::lock, required(), "lockable object of the assembly"},
                   Field{"waitingPeriod", &Release::waiting_period, period, wait_doc},
                   Field{"contactDetection", &Release::contact_detection, any(), contact_doc}};
};
template<> struct Describe<Delete> {
    static constexpr std::string_view name = "Delete", doc = "takes an assembly out of the model";
    static constexpr auto fields =
        std::tuple{Field{"lock", &Delete::lock, required(), "lockable object of the assembly"},
                   Field{"waitingPeriod", &Delete::waiting_period, period, wait_doc}};
};
template<> struct Describe<FlipChain> {
    static constexpr std::string_view name = "FlipChain", doc = "holds a chain at its other end";
    static constexpr auto fields =
        std::tuple{Field{"newLock", &FlipChain::new_lock, required(), "end that is held from here on"},
                   Field{"to", &FlipChain::to, required(), "lockable object that takes it"},
                   Field{"oldLock", &FlipChain::old_lock, required(), "end that is let go"},
                   Field{"conditions", &FlipChain::conditions, any(), conditions_doc},
                   Field{"waitingPeriod", &FlipChain::waiting_period, period, wait_doc},
                   Field{"contactDetection", &FlipChain::contact_detection, any(), contact_doc}};
};
template<> struct Describe<Wait> {
    static constexpr std::string_view name = "Wait", doc = "next command after this time";
    static constexpr auto fields = std::tuple{Field{"period", &Wait::period, required(period), "time"}};
};
template<> struct Describe<EventAfterPeriod> {
    static constexpr std::string_view name = "EventAfterPeriod", doc = "next command, at an event, after this time";
    static constexpr auto fields = std::tuple{Field{"period", &EventAfterPeriod::period, required(period), "time"}};
};
template<> struct Describe<Until> {
    static constexpr std::string_view name = "Until", doc = "next command as soon as a condition holds";
    static constexpr auto fields = std::tuple{
        Field{"quantity", &Until::quantity, any(), "what is looked at: of an object, or Force or Torque of a joint"},
        Field{"of", &Until::of, required(), "name of the object or joint"},
        Field{"from", &Until::from, any(), "object relative to which, and in whose axes; left out: the world"},
        Field{"is", &Until::is, any(), "side of the limit"},
        Field{"limit", &Until::limit, any("m, m/s, rad/s, N or N m"), "of the quantity"}};
};
template<> struct Describe<MoveAlongPath> {
    static constexpr std::string_view name = "MoveAlongPath", doc = "point to point in joint space";
    static constexpr auto fields =
        std::tuple{Field{"path", &MoveAlongPath::path, required(), "name of a path"},
                   Field{"points", &MoveAlongPath::points, required(any("rad or m")), "rows of via points"}};
};

}  // namespace tactus::schema
