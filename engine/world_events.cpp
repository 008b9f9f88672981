// World: events and functions of the host's.
#include <tactus/engine/schema/context.hpp>
#include <tactus/engine/world_impl.hpp>

#include <cmath>

namespace tactus {

void World::on_event(std::function<void(const Event&)> handler) {
    if (!handler) throw InputError({"", "", "handler", "", "must be a function"});
    impl_->handlers.push_back(std::move(handler));
}

void World::on_contact(std::function<void(const ContactEvent&)> handler) {
    if (!handler) throw InputError({"", "", "handler", "", "must be a function"});
    on_event([handler = std::move(handler)](const Event& event) {
        if (event.kind == EventKind::contact) handler(event.contact);
    });
}

void World::add_time_event(const std::string& name, double t) {
    if (!std::isfinite(t) || t <= time())
        throw InputError({"", name, "time", schema::text_of(t),
                          "must be a finite number > the present time (" + schema::text_of(time()) + ") [s]"});
    impl_->time_events.push_back({name, t});
}

void World::add_zero_crossing(const ZeroCrossing& crossing) {
    if (!crossing.function) throw InputError({"", crossing.name, "function", "", "must be a function"});
    ZeroCrossing resolved = crossing;
    for (Ref& ref : resolved.objects)
        if (ref.entity == entt::null) ref.entity = at(ref.path);
    impl_->crossings.push_back(std::move(resolved));
    impl_->watched_outdated = true;
}

void World::remove_event(const std::string& name) {
    const auto named = [&](const auto& event) { return event.name == name; };
    const std::size_t crossings = std::erase_if(impl_->crossings, named);
    if (crossings > 0) impl_->watched_outdated = true;
    if (crossings + std::erase_if(impl_->time_events, named) == 0)
        throw InputError(
            {"", "", "name", schema::in_quotes(name), "there is no time event and no zero crossing of this name"});
}

void World::set_function(const std::string& name, std::function<Vec3(double)> function) {
    impl_->functions.vectors[name] = std::move(function);
    impl_->definitions_changed();
}

void World::set_function(const std::string& name, std::function<double(double)> function) {
    impl_->functions.scalars[name] = std::move(function);
    impl_->definitions_changed();
}

}  // namespace tactus
