// Field table of Object3Ds, with the rules of their features.
#pragma once

#include <tactus/engine/definitions.hpp>
#include <tactus/engine/schema/scene_tables.hpp>
#include <tactus/engine/schema/shape_tables.hpp>

namespace tactus::schema {

template<> struct EnumNames<Feature> { static constexpr std::array names{"Automatic", "Solid", "Visual"}; };
template<> struct Describe<Object3DDef> {
    static constexpr std::string_view name = "Object3D", doc = "a frame placed relative to its parent, with a feature";
    static constexpr auto fields = std::tuple{
        Field{"name", &Object3DDef::name, required(name_of_element()), "unique path, parts separated by dots"},
        Field{"parent", &Object3DDef::parent, may_refer_to(object_kind), "left out: only joints connect the object"},
        Field{"free", &Object3DDef::free, any(), "six degrees of freedom relative to the parent; else fixed to it"},
        Field{"translation", &Object3DDef::translation, any("m"), "of the origin, in the parent's axes"},
        Field{"rotation", &Object3DDef::rotation, any("rad"),
              "[ax, ay, az] about own x, new y, new z, or {\"quaternion\": [x, y, z, w]}"},
        Field{"velocity", &Object3DDef::velocity, any("m/s"), "initial, in the parent's axes; free objects"},
        Field{"angularVelocity", &Object3DDef::angular_velocity, any("rad/s"),
              "initial, in the parent's axes; free objects"},
        Field{"angularVelocityInBody", &Object3DDef::angular_velocity_in_body, any(),
              "angularVelocity is in the object's own axes"},
        Field{"lockable", &Object3DDef::lockable, any(), "actions may lock something here"},
        Field{"assemblyRoot", &Object3DDef::assembly_root, any(), "actions may attach and release it"},
        Field{"feature", &Object3DDef::feature, any(), "Automatic: Solid if there is a shape, mass or material"},
        Field{"shape", &Object3DDef::shape, any(), "shape"},
        Field{"material", &Object3DDef::material, any(), "of the solid palette"},
        Field{"mass", &Object3DDef::mass, at_least(0, "kg"), "spread evenly over the shape"},
        Field{"massProperties", &Object3DDef::mass_properties, any(), "given as they are, instead of mass"},
        Field{"collidable", &Object3DDef::collidable, any(), "takes part in contact"},
        Field{"contactMaterial", &Object3DDef::contact_material, any(), "for contact instead of material"},
        Field{"smoothingRadius", &Object3DDef::smoothing_radius, at_least(0, "m"), "rounding of edges for contact"},
        Field{"contactSphereRadius", &Object3DDef::contact_sphere_radius, positive("m"), "for the contact stiffness"},
        Field{"visualMaterial", &Object3DDef::visual_material, any(), "a name of the visual palette, or a look"}};

    static void check(const Object3DDef& object, Context& context) {
        const auto wrong = [&context](std::string_view key, std::string value, std::string allowed) {
            const Context::Step step{context, key};
            context.fail(std::move(value), std::move(allowed));
        };
        if (!object.free) {
            if (!object.velocity.isZero(0)) wrong("velocity", text_of(object.velocity), "only a free object has one");
            if (!object.angular_velocity.isZero(0))
                wrong("angularVelocity", text_of(object.angular_velocity), "only a free object has one");
        }
        if (!object.free && object.angular_velocity_in_body)
            wrong("angularVelocityInBody", "true", "only a free object has an angular velocity");
        if (object.free && object.parent.rule == ParentRule::none)
            wrong("free", "true", "needs a parent: give one, e.g. the world");
        if (object.lockable && object.assembly_root)
            wrong("lockable", "true", "an assemblyRoot cannot be lockable itself: fix a lockable object to it");

        const Feature feature = object.resulting_feature();
        const Object3DDef plain;
        if (feature != Feature::Solid) {
            if (!object.contact_material.empty())
                wrong("contactMaterial", in_quotes(object.contact_material), "only a Solid has one");
            if (object.smoothing_radius != plain.smoothing_radius)
                wrong("smoothingRadius", text_of(object.smoothing_radius), "only a Solid has one");
            if (object.contact_sphere_radius)
                wrong("contactSphereRadius", text_of(*object.contact_sphere_radius), "only a Solid has one");
            if (feature == Feature::Automatic && !(object.visual_material == plain.visual_material))
                wrong("visualMaterial", "", "only a Solid or a Visual has one: give a shape");
        }
        if (feature == Feature::Visual) {
            if (!object.shape) wrong("shape", "", "a Visual needs a shape");
            if (object.collidable) wrong("collidable", "true", "a Visual cannot collide: make it a Solid");
            if (object.mass || object.mass_properties || !object.material.empty())
                wrong("feature", "\"Visual\"", "a Visual has no mass and no solid material: make it a Solid");
            return;
        }
        if (object.shape && !is_solid_shape(*object.shape)) {
            std::visit(
                [&]<class S>(const S&) {
                    wrong("shape", in_quotes(Describe<S>::name), "is only seen: set feature to \"Visual\"");
                },
                *object.shape);
            return;
        }
        if (object.mass && object.mass_properties)
            wrong("mass", text_of(*object.mass), "give either mass or massProperties");
        if (object.mass && !object.shape)
            wrong("mass", text_of(*object.mass), "needs a shape to spread over: give one, or massProperties");
        if (object.collidable) {
            if (!object.shape) wrong("collidable", "true", "needs a shape");
            if (object.material.empty() && object.contact_material.empty())
                wrong("collidable", "true", "needs a material or a contactMaterial");
        }
    }
};

}  // namespace tactus::schema
