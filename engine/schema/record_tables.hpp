// Field tables of records, uncertainties and the simulation.
#pragma once

#include <tactus/engine/definitions.hpp>
#include <tactus/engine/schema/check.hpp>
#include <tactus/engine/schema/field.hpp>

namespace tactus::schema {

template<> struct Describe<ContactRecord> {
    static constexpr std::string_view name = "ContactRecord", doc = "what acts between two collidable Solids";
    static constexpr auto fields = std::tuple{
        Field{"object1", &ContactRecord::object1, refers_to(object_kind), "on which the recorded force acts"},
        Field{"object2", &ContactRecord::object2, refers_to(object_kind), "the other"},
        Field{"coordinates", &ContactRecord::coordinates, may_refer_to(object_kind),
              "whose axes; left out: the world's"}};
};
template<> struct Describe<SensorRecord> {
    static constexpr std::string_view name = "SensorRecord", doc = "motion of an object relative to another";
    static constexpr auto fields = std::tuple{
        Field{"object", &SensorRecord::object, refers_to(object_kind), "whose motion"},
        Field{"origin", &SensorRecord::origin, may_refer_to(object_kind), "relative to; left out: the world"},
        Field{"coordinates", &SensorRecord::coordinates, may_refer_to(object_kind), "whose axes; left out: origin's"},
        Field{"observer", &SensorRecord::observer, may_refer_to(object_kind), "differentiates; left out: coordinates"}};
};
template<> struct Describe<RecordDef> {
    static constexpr std::string_view name = "Record", doc = "signals kept besides the usual ones";
    static constexpr auto fields = std::tuple{
        Field{"name", &RecordDef::name, required(name_of_element()), "unique path"}, in_line("type", &RecordDef::type)};
};
template<> struct Describe<Uncertainty> {
    static constexpr std::string_view name = "Uncertainty", doc = "a parameter known up to a standard deviation";
    static constexpr auto fields =
        std::tuple{Field{"parameter", &Uncertainty::parameter, required(),
                         "element and field that is set, e.g. \"bar.massProperties.mass\""},
                   Field{"deviation", &Uncertainty::deviation, required(positive()), "in the parameter's unit"}};
};
template<> struct EnumNames<Solver> { static constexpr std::array names = solver_names; };
template<> struct EnumNames<UncertaintyMethod> { static constexpr std::array names{"none", "linear", "monte-carlo"}; };
template<> struct Describe<Simulation> {
    static constexpr std::string_view name = "Simulation", doc = "how the scene wants to be run";
    static constexpr auto fields = std::tuple{
        Field{"solver", &Simulation::solver, any(), "integrator"},
        Field{"startTime", &Simulation::start_time, any("s"), "begin"},
        Field{"stopTime", &Simulation::stop_time, any("s"), "end"},
        Field{"tolerance", &Simulation::tolerance, above_up_to(0, 0.1), "relative tolerance"},
        Field{"interval", &Simulation::interval, at_least(0, "s"), "of communication points; 0: a 500th of the span"},
        Field{"maximumStep", &Simulation::maximum_step, at_least(0, "s"), "0: no limit"},
        Field{"uncertainty", &Simulation::uncertainty, any(), "how uncertainties are propagated"},
        Field{"particles", &Simulation::particles, at_least(2), "of monte-carlo"}};
    static void check(const Simulation& s, Context& context) {
        const Context::Step step{context, "stopTime"};
        if (s.stop_time < s.start_time)
            context.fail(text_of(s.stop_time), "must be >= startTime (" + text_of(s.start_time) + ") [s]");
    }
};

}  // namespace tactus::schema
