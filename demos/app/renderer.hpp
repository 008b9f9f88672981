// Renderer: draws things with light and soft shadows into a large picture, and that one to the screen.
#pragma once

#include "demos/app/gpu_mesh.hpp"
#include "demos/demo.hpp"

#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace demos::app {

struct Item {
    const GpuMesh* mesh = nullptr;
    tactus::Pose pose;
    tactus::Vec3 scale = tactus::Vec3::Ones();
    Look look;
    bool shadow = true;  // throws one
    bool plain = false;  // no light: arrows and other signs
};

struct Quality {
    int scale = 2;           // pixels of the large picture for each of the screen, in both directions
    int shadow_taps = 24;    // samples of a shadow
    int shadow_size = 2048;  // [pixels]
};

inline bool has_floor(double ground) { return ground > -100.0; }  // [m] one that lies far below is left out

class Renderer {
public:
    Renderer();
    ~Renderer();
    Renderer(const Renderer&) = delete;
    Renderer& operator=(const Renderer&) = delete;

    struct Frame {
        std::span<const Item> items;
        Camera3D camera;
        Backdrop backdrop = Backdrop::studio;
        double ground = 0.0;                    // [m]
        tactus::Vec3 center;                    // [m] of what moves, and ...
        double radius = 1.0;                    // [m] ... a ball around it: where shadows are
        int width = 1280, height = 720;         // [pixels] of the screen
        std::function<void()> lines = nullptr;  // drawn in the scene, without light
    };
    void draw(const Frame& frame, const Quality& quality);  // afterwards the picture can be shown
    void show(Rectangle where);                             // on the screen, or on what is being drawn to
    // How many pixels of a picture of this size each item is seen in, other items in front.
    std::vector<int> visible_pixels(const Frame& frame);

    void set_digits(Texture2D digits) { digits_ = digits; }

private:
    struct Uniforms;
    Shader surface_{}, depth_{}, flat_{}, screen_{}, final_{};
    Material material_{};
    std::unique_ptr<Uniforms> at_;
    RenderTexture2D large_{};
    unsigned int shadow_buffer_ = 0, shadow_texture_ = 0;
    int shadow_size_ = 0;
    int scale_ = 1;
    GpuMesh floor_;
    Texture2D digits_{};

    void fit_targets(const Frame& frame, const Quality& quality);
    Matrix draw_shadows(const Frame& frame, const tactus::Vec3& light);
    void draw_item(const Item& item, int pattern);
    void draw_backdrop(const Frame& frame, int width, int height);
};

}  // namespace demos::app
