// Keys that were pressed since the last frame, however short: where drawing is slow, a key is down and up again within one.
#pragma once

#include <raylib.h>

#include <algorithm>
#include <vector>

namespace demos::app {

class Keys {
public:
    void read() {  // once in a frame
        pressed_.clear();
        for (int key = GetKeyPressed(); key != 0; key = GetKeyPressed()) pressed_.push_back(key);
    }
    bool pressed(int key) const { return std::ranges::find(pressed_, key) != pressed_.end(); }

private:
    std::vector<int> pressed_;
};

}  // namespace demos::app
