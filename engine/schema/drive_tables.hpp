// Field tables of drives and reference paths.
#pragma once

#include <tactus/engine/definitions.hpp>
#include <tactus/engine/schema/check.hpp>
#include <tactus/engine/schema/definitions.hpp>
#include <tactus/engine/schema/field.hpp>

namespace tactus::schema {

inline constexpr Rule flange = refers_to(joint_kind | drive_kind);
inline constexpr Rule flange_or_ground = may_refer_to(joint_kind | drive_kind);
inline constexpr std::string_view flange_doc =
    "a Revolute or Prismatic joint, a RotorInertia or SlidingMass; left out: ground";

template<> struct Describe<Damper> {
    static constexpr std::string_view name = "Damper", doc = "linear damper between two flanges";
    static constexpr auto fields =
        std::tuple{Field{"flange1", &Damper::flange1, flange_or_ground, flange_doc},
                   Field{"flange2", &Damper::flange2, flange_or_ground, flange_doc},
                   Field{"d", &Damper::d, required(at_least(0, "N m s/rad or N s/m")), "damping"}};
};
template<> struct Describe<LinearSpring> {
    static constexpr std::string_view name = "LinearSpring", doc = "linear spring between two flanges";
    static constexpr auto fields =
        std::tuple{Field{"flange1", &LinearSpring::flange1, flange_or_ground, flange_doc},
                   Field{"flange2", &LinearSpring::flange2, flange_or_ground, flange_doc},
                   Field{"c", &LinearSpring::c, required(at_least(0, "N m/rad or N/m")), "stiffness"},
                   Field{"rest", &LinearSpring::rest, any("rad or m"), "elongation without force"}};
};
template<> struct Describe<RotorInertia> {
    static constexpr std::string_view name = "RotorInertia", doc = "a rotating flange of its own";
    static constexpr auto fields = std::tuple{
        Field{"inertia", &RotorInertia::inertia, required(positive("kg m^2")), "about its axis"},
        Field{"phi", &RotorInertia::phi, any("rad"), "initial"}, Field{"w", &RotorInertia::w, any("rad/s"), "initial"}};
};
template<> struct Describe<SlidingMass> {
    static constexpr std::string_view name = "SlidingMass", doc = "a sliding flange of its own";
    static constexpr auto fields = std::tuple{Field{"mass", &SlidingMass::mass, required(positive("kg")), "mass"},
                                              Field{"s", &SlidingMass::s, any("m"), "initial"},
                                              Field{"v", &SlidingMass::v, any("m/s"), "initial"}};
};
template<> struct Describe<Gear> {
    static constexpr std::string_view name = "Gear", doc = "phi1 = ratio phi2, without loss";
    static constexpr auto fields = std::tuple{Field{"flange1", &Gear::flange1, flange, "fast side"},
                                              Field{"flange2", &Gear::flange2, flange, "slow side"},
                                              Field{"ratio", &Gear::ratio, required(not_zero()), "ratio"}};
};
template<> struct Describe<Ramp> {
    static constexpr std::string_view name = "Ramp", doc = "rises linearly, then stays";
    static constexpr auto fields = std::tuple{Field{"offset", &Ramp::offset, any("rad or m"), "before"},
                                              Field{"height", &Ramp::height, any("rad or m"), "rise"},
                                              Field{"startTime", &Ramp::start_time, any("s"), "when it begins"},
                                              Field{"duration", &Ramp::duration, positive("s"), "of the rise"}};
};
template<> struct Describe<PathColumn> {
    static constexpr std::string_view name = "PathColumn", doc = "running reference of one column of a path";
    static constexpr auto fields = std::tuple{Field{"path", &PathColumn::path, required(), "name of a path"},
                                              Field{"column", &PathColumn::column, at_least(1), "from 1"}};
};
template<> struct Describe<GivenMotion> {
    static constexpr std::string_view name = "GivenMotion", doc = "a function of the host's";
    static constexpr auto fields =
        std::tuple{Field{"function", &GivenMotion::function, required(),
                         "registered with World::set_function: t -> (position, velocity, acceleration)"}};
};
template<> struct Describe<Servo> {
    static constexpr std::string_view name = "Servo",
                                      doc = "motor behind a gear: u = positionGain i (ref - phi) - i w, dx/dt = u / "
                                            "integralTime, motor torque = gain (x + u), i = gearRatio";
    static constexpr auto fields =
        std::tuple{Field{"flange", &Servo::flange, flange, "what it moves"},
                   Field{"reference", &Servo::reference, required(), "what it follows"},
                   Field{"gearRatio", &Servo::gear_ratio, positive(), "motor angle per flange angle"},
                   Field{"motorInertia", &Servo::motor_inertia, at_least(0, "kg m^2 or kg"), "on the motor's side"},
                   Field{"positionGain", &Servo::position_gain, at_least(0, "1/s"), "of the outer loop"},
                   Field{"gain", &Servo::gain, at_least(0, "N m s/rad or N s/m"), "of the inner loop"},
                   Field{"integralTime", &Servo::integral_time, positive("s"), "of the inner loop"},
                   Field{"x", &Servo::x, any(), "initial state of the inner loop"}};
};
template<> struct Describe<PdDrive> {
    static constexpr std::string_view name = "PdDrive",
                                      doc = "torque = stiffness (r - phi) + damping (dr/dt - w) + inertia d2r/dt2";
    static constexpr auto fields = std::tuple{
        Field{"flange", &PdDrive::flange, flange, "what it moves"},
        Field{"reference", &PdDrive::reference, required(), "r, what it follows"},
        Field{"stiffness", &PdDrive::stiffness, required(at_least(0, "N m/rad or N/m")), "by the difference"},
        Field{"damping", &PdDrive::damping, at_least(0, "N m s/rad or N s/m"), "by the difference of speeds"},
        Field{"inertia", &PdDrive::inertia, at_least(0, "kg m^2 or kg"), "of the load, for feed-forward"}};
};
template<> struct Describe<PrescribedMotion> {
    static constexpr std::string_view name = "PrescribedMotion",
                                      doc = "the flange follows its reference exactly; its joint has no states";
    static constexpr auto fields =
        std::tuple{Field{"flange", &PrescribedMotion::flange, flange, "what is moved"},
                   Field{"reference", &PrescribedMotion::reference, required(), "a PathColumn or a GivenMotion"}};
    static void check(const PrescribedMotion& drive, Context& context) {
        if (!std::holds_alternative<Ramp>(drive.reference)) return;
        const Context::Step step{context, "reference"};
        context.fail("Ramp",
                     "must be a PathColumn or a GivenMotion: the speed of a Ramp jumps, which takes infinite forces");
    }
};
template<> struct Describe<DriveDef> {
    static constexpr std::string_view name = "Drive", doc = "one-dimensional parts that act on joints";
    static constexpr auto fields = std::tuple{
        Field{"name", &DriveDef::name, required(name_of_element()), "unique path"}, in_line("type", &DriveDef::type)};
};

template<> struct Describe<ReferencePath> {
    static constexpr std::string_view name = "ReferencePath",
                                      doc = "synchronous point-to-point motion of several joints";
    static constexpr auto fields =
        std::tuple{Field{"position", &ReferencePath::position, required(at_least_one(any("rad or m"))),
                         "initial, one for each column"},
                   Field{"vMax", &ReferencePath::v_max, required(positive("rad/s or m/s")), "one for each column"},
                   Field{"aMax", &ReferencePath::a_max, required(positive("rad/s^2 or m/s^2")), "one for each column"},
                   Field{"points", &ReferencePath::points, any("rad or m"),
                         "rows of via points, from the start of the simulation"}};
    static void check(const ReferencePath& path, Context& context) {
        const std::size_t columns = path.position.size();
        if (columns == 0) return;  // said already
        const auto same = [&](std::string_view key, std::size_t size) {
            const Context::Step step{context, key};
            if (size != columns)
                context.fail(numbers_text(size),
                             "must have " + std::to_string(columns) + ", one for each column, as position has");
        };
        same("vMax", path.v_max.size());
        same("aMax", path.a_max.size());
        check_rows(path.points, columns, context);
    }
};
template<> struct Describe<PathDef> {
    static constexpr std::string_view name = "Path", doc = "a named reference path";
    static constexpr auto fields = std::tuple{Field{"name", &PathDef::name, required(name_of_element()), "unique path"},
                                              in_line("path", &PathDef::path)};
};

}  // namespace tactus::schema
