// What is done to the window, each from the first frame to the one that closes it.
#pragma once

#include "tests/demos/window/hand.hpp"
#include "tests/demos/window/script.hpp"

namespace window_test {

Script use_a_demo(Hand& hand);             // all keys, a slider, dragging, workers, restart; closes it while it runs
Script resize_a_demo(Hand& hand);          // hundreds of sizes with random keys and clicks; closes it while it runs
Script walk_through_demos(Hand& hand);     // one after the other and back, faster than they can be looked at, resizing
Script use_the_gallery(Hand& hand);        // choose by keys and mouse, come back, resize; closes it in the gallery
Script look_at_failures(Hand& hand);       // demos that fail at the start and later, then others
Script outlive_what_it_holds(Hand& hand);  // a body that an action deletes while it is followed, selected and dragged

}  // namespace window_test
