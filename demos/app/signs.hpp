// Signs in the scene: contact points and forces, boxes of the broad phase, frames, portals, the hand's spring.
#pragma once

#include "demos/app/stage.hpp"

#include <functional>

namespace demos::app {

struct SignSwitches {
    bool contacts = false, boxes = false, frames = false, portal = false;
};

class Signs {
public:
    Signs();

    // Adds items to the stage; what has to be drawn as lines is given back. `size` [m]: of what is seen.
    std::function<void()> add(Session& session, Stage& stage, const SignSwitches& on, tactus::Entity selected,
                              double size);

private:
    GpuMesh ball_, rod_, tip_;  // of size 1, along z

    void arrow(Stage& stage, const tactus::Vec3& from, const tactus::Vec3& along, double thick,
               std::array<int, 3> color);
    void dot(Stage& stage, const tactus::Vec3& at, double diameter, std::array<int, 3> color);
    void bar(Stage& stage, const tactus::Vec3& from, const tactus::Vec3& to, double thick, std::array<int, 3> color);
    void add_contacts(tactus::World& world, Stage& stage, double size);
    void add_frames(tactus::World& world, Stage& stage, double size);
    std::function<void()> portal(tactus::World& world, Stage& stage, tactus::Entity selected, double size);
};

}  // namespace demos::app
