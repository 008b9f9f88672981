#include "demos/app/renderer.hpp"

#include "demos/app/shaders.hpp"

#include <raymath.h>
#include <rlgl.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace demos::app {

using tactus::Vec3;

struct Renderer::Uniforms {
    int color, metal, roughness, pattern, number, extent, eye, light, key, sky, horizon, earth, light_matrix, texel,
        blur, taps, floor_center, floor_size, grid, shadow_map, digits;
    int flat_color;
    int upper, lower, stars, size;
    int final_texel, final_scale;
};

namespace {

constexpr int ground_pattern = 100, plain_pattern = 101;
constexpr int shadow_slot = 10, digits_slot = 11;

struct Mood {
    Vec3 light_direction;
    float key;
    Vector3 sky, horizon, earth, upper, lower, ground;
    float stars;
};

const Mood& mood_of(Backdrop backdrop) {
    static const Mood studio{Vec3{-0.42, -0.38, 0.86}.normalized(),
                             1.55f,
                             {0.44f, 0.48f, 0.54f},
                             {0.31f, 0.32f, 0.34f},
                             {0.17f, 0.155f, 0.14f},
                             {0.66f, 0.71f, 0.76f},
                             {0.86f, 0.865f, 0.86f},
                             {0.62f, 0.62f, 0.60f},
                             0.0f};
    static const Mood night{Vec3{-0.6, -0.5, 0.62}.normalized(),
                            2.6f,
                            {0.16f, 0.19f, 0.30f},
                            {0.08f, 0.09f, 0.14f},
                            {0.03f, 0.03f, 0.05f},
                            {0.020f, 0.028f, 0.062f},
                            {0.055f, 0.062f, 0.115f},
                            {0.1f, 0.1f, 0.14f},
                            0.9f};
    return backdrop == Backdrop::night ? night : studio;
}

float linear(int c) { return std::pow(static_cast<float>(c) / 255.0f, 2.2f); }

void set(const Shader& shader, int at, float value) { SetShaderValue(shader, at, &value, SHADER_UNIFORM_FLOAT); }
void set(const Shader& shader, int at, int value) { SetShaderValue(shader, at, &value, SHADER_UNIFORM_INT); }
void set(const Shader& shader, int at, const Vector3& value) {
    SetShaderValue(shader, at, &value, SHADER_UNIFORM_VEC3);
}

Matrix transform_of(const Item& item) { return to_matrix(item.pose, item.scale); }

}  // namespace

Renderer::Renderer() : at_{std::make_unique<Uniforms>()} {
    surface_ = LoadShaderFromMemory(shaders::surface_vertex, shaders::surface_fragment);
    depth_ = LoadShaderFromMemory(shaders::surface_vertex, shaders::depth_fragment);
    flat_ = LoadShaderFromMemory(shaders::surface_vertex, shaders::flat_fragment);
    screen_ = LoadShaderFromMemory(nullptr, shaders::screen_fragment);
    final_ = LoadShaderFromMemory(nullptr, shaders::final_fragment);
    material_ = LoadMaterialDefault();
    const auto in = [](const Shader& shader, const char* name) { return GetShaderLocation(shader, name); };
    *at_ = {
        in(surface_, "color"),        in(surface_, "metal"),      in(surface_, "roughness"), in(surface_, "pattern"),
        in(surface_, "number"),       in(surface_, "extent"),     in(surface_, "eye"),       in(surface_, "light"),
        in(surface_, "key"),          in(surface_, "sky"),        in(surface_, "horizon"),   in(surface_, "earth"),
        in(surface_, "light_matrix"), in(surface_, "texel"),      in(surface_, "blur"),      in(surface_, "taps"),
        in(surface_, "floor_center"), in(surface_, "floor_size"), in(surface_, "grid"),      in(surface_, "shadow_map"),
        in(surface_, "digits"),       in(flat_, "color"),         in(screen_, "upper"),      in(screen_, "lower"),
        in(screen_, "stars"),         in(screen_, "size"),        in(final_, "texel"),       in(final_, "scale")};
    Surface square;
    const Vec3 up = Vec3::UnitZ();
    square.quad(square.add({-1, -1, 0}, up), square.add({1, -1, 0}, up), square.add({1, 1, 0}, up),
                square.add({-1, 1, 0}, up));
    floor_ = GpuMesh{square};
}

Renderer::~Renderer() {
    for (const Shader& shader : {surface_, depth_, flat_, screen_, final_}) UnloadShader(shader);
    material_.shader = {};
    MemFree(material_.maps);
    if (large_.id) UnloadRenderTexture(large_);
    if (shadow_buffer_) {
        rlUnloadFramebuffer(shadow_buffer_);
        rlUnloadTexture(shadow_texture_);
    }
}

void Renderer::fit_targets(const Frame& frame, const Quality& quality) {
    scale_ = std::max(1, quality.scale);
    const int width = frame.width * scale_, height = frame.height * scale_;
    if (large_.texture.width != width || large_.texture.height != height) {
        if (large_.id) UnloadRenderTexture(large_);
        large_ = LoadRenderTexture(width, height);
        SetTextureFilter(large_.texture, TEXTURE_FILTER_BILINEAR);
    }
    if (shadow_size_ != quality.shadow_size) {
        if (shadow_buffer_) {
            rlUnloadFramebuffer(shadow_buffer_);
            rlUnloadTexture(shadow_texture_);
        }
        shadow_size_ = quality.shadow_size;
        shadow_buffer_ = rlLoadFramebuffer();
        rlEnableFramebuffer(shadow_buffer_);
        shadow_texture_ = rlLoadTextureDepth(shadow_size_, shadow_size_, false);
        rlFramebufferAttach(shadow_buffer_, shadow_texture_, RL_ATTACHMENT_DEPTH, RL_ATTACHMENT_TEXTURE2D, 0);
        rlDisableFramebuffer();
    }
}

// Into the shadow map, seen from the light; gives the matrix from the world to the map.
Matrix Renderer::draw_shadows(const Frame& frame, const Vec3& light) {
    const Vec3 from = frame.center + 3.0 * frame.radius * light;
    rlDrawRenderBatchActive();
    rlEnableFramebuffer(shadow_buffer_);
    rlViewport(0, 0, shadow_size_, shadow_size_);
    rlSetFramebufferWidth(shadow_size_);
    rlSetFramebufferHeight(shadow_size_);
    rlClearScreenBuffers();
    rlEnableDepthTest();
    rlDisableBackfaceCulling();
    const double r = frame.radius;
    const Matrix view = MatrixLookAt(to_raylib(from), to_raylib(frame.center), {0, 1, 0});
    const Matrix projection = MatrixOrtho(-r, r, -r, r, 1.0 * r, 5.0 * r);
    rlSetMatrixModelview(view);
    rlSetMatrixProjection(projection);
    material_.shader = depth_;
    for (const Item& item : frame.items)
        if (item.shadow && !item.plain && item.look.alpha > 0.5)
            DrawMesh(item.mesh->mesh(), material_, transform_of(item));
    rlDisableFramebuffer();
    return MatrixMultiply(view, projection);
}

void Renderer::draw_item(const Item& item, int pattern) {
    const Look& look = item.look;
    const float color[4] = {item.plain ? static_cast<float>(look.color[0]) / 255.0f : linear(look.color[0]),
                            item.plain ? static_cast<float>(look.color[1]) / 255.0f : linear(look.color[1]),
                            item.plain ? static_cast<float>(look.color[2]) / 255.0f : linear(look.color[2]),
                            static_cast<float>(look.alpha)};
    SetShaderValue(surface_, at_->color, color, SHADER_UNIFORM_VEC4);
    set(surface_, at_->metal, static_cast<float>(look.metal));
    set(surface_, at_->roughness, static_cast<float>(look.roughness));
    set(surface_, at_->pattern, pattern);
    set(surface_, at_->number, look.number);
    set(surface_, at_->extent, to_raylib(item.mesh->extent().cwiseProduct(item.scale)));
    DrawMesh(item.mesh->mesh(), material_, transform_of(item));
}

void Renderer::draw_backdrop(const Frame& frame, int width, int height) {
    const Mood& mood = mood_of(frame.backdrop);
    set(screen_, at_->upper, mood.upper);
    set(screen_, at_->lower, mood.lower);
    set(screen_, at_->stars, mood.stars);
    const float size[2] = {static_cast<float>(width), static_cast<float>(height)};
    SetShaderValue(screen_, at_->size, size, SHADER_UNIFORM_VEC2);
    BeginShaderMode(screen_);
    DrawRectangle(0, 0, width, height, WHITE);
    EndShaderMode();
}

void Renderer::draw(const Frame& frame, const Quality& quality) {
    fit_targets(frame, quality);
    const Mood& mood = mood_of(frame.backdrop);
    const double distance = (from_raylib(frame.camera.position) - from_raylib(frame.camera.target)).norm();
    rlSetClipPlanes(0.02 * distance, 60.0 * distance);
    const Matrix light_matrix = draw_shadows(frame, mood.light_direction);

    BeginTextureMode(large_);
    ClearBackground(BLACK);
    draw_backdrop(frame, large_.texture.width, large_.texture.height);
    BeginMode3D(frame.camera);
    rlDisableBackfaceCulling();
    material_.shader = surface_;
    set(surface_, at_->eye, frame.camera.position);
    set(surface_, at_->light, to_raylib(mood.light_direction));
    set(surface_, at_->key, mood.key);
    set(surface_, at_->sky, mood.sky);
    set(surface_, at_->horizon, mood.horizon);
    set(surface_, at_->earth, mood.earth);
    SetShaderValueMatrix(surface_, at_->light_matrix, light_matrix);
    set(surface_, at_->texel, 1.0f / static_cast<float>(shadow_size_));
    set(surface_, at_->blur, 0.42f);
    set(surface_, at_->taps, quality.shadow_taps);
    const double floor_size = std::max(7.0 * frame.radius, 3.0 * distance);
    set(surface_, at_->floor_center, to_raylib(frame.center));
    set(surface_, at_->floor_size, static_cast<float>(floor_size));
    // Lines a fifth of the scene apart, rounded to 1, 2, 5 times a power of ten.
    const double rough = 0.4 * frame.radius, power = std::pow(10.0, std::floor(std::log10(rough))),
                 lead = rough / power;
    set(surface_, at_->grid, static_cast<float>(power * (lead < 2 ? 1 : lead < 5 ? 2 : 5)));
    rlEnableShader(surface_.id);
    rlActiveTextureSlot(shadow_slot);
    rlEnableTexture(shadow_texture_);
    rlSetUniform(at_->shadow_map, &shadow_slot, SHADER_UNIFORM_INT, 1);
    rlActiveTextureSlot(digits_slot);
    rlEnableTexture(digits_.id);
    rlSetUniform(at_->digits, &digits_slot, SHADER_UNIFORM_INT, 1);

    if (has_floor(frame.ground)) {
        Item floor{&floor_, {}, Vec3{floor_size, floor_size, 1}, {}};
        floor.pose.p = {frame.center.x(), frame.center.y(), frame.ground - 1e-4 * frame.radius};
        floor.look.color = {178, 180, 178};
        floor.look.roughness = 0.8;
        draw_item(floor, ground_pattern);
    }
    std::vector<const Item*> clear;
    for (const Item& item : frame.items) {
        if (item.look.alpha < 1.0)
            clear.push_back(&item);
        else
            draw_item(item, item.plain ? plain_pattern : static_cast<int>(item.look.pattern));
    }
    if (frame.lines) {
        rlDrawRenderBatchActive();
        frame.lines();
        rlDrawRenderBatchActive();
    }
    const Vec3 eye = from_raylib(frame.camera.position);
    std::ranges::sort(
        clear, [&](const Item* a, const Item* b) { return (a->pose.p - eye).norm() > (b->pose.p - eye).norm(); });
    rlDrawRenderBatchActive();
    rlDisableDepthMask();
    for (const Item* item : clear) draw_item(*item, item->plain ? plain_pattern : static_cast<int>(item->look.pattern));
    rlEnableDepthMask();
    for (const int slot : {shadow_slot, digits_slot}) {
        rlActiveTextureSlot(slot);
        rlDisableTexture();
    }
    rlActiveTextureSlot(0);
    EndMode3D();
    EndTextureMode();
}

void Renderer::show(Rectangle where) {
    const float texel[2] = {1.0f / static_cast<float>(large_.texture.width),
                            1.0f / static_cast<float>(large_.texture.height)};
    SetShaderValue(final_, at_->final_texel, texel, SHADER_UNIFORM_VEC2);
    set(final_, at_->final_scale, scale_);
    BeginShaderMode(final_);
    const Rectangle all{0, 0, static_cast<float>(large_.texture.width), -static_cast<float>(large_.texture.height)};
    DrawTexturePro(large_.texture, all, where, {0, 0}, 0, WHITE);
    EndShaderMode();
}

std::vector<int> Renderer::visible_pixels(const Frame& frame) {
    const RenderTexture2D target = LoadRenderTexture(frame.width, frame.height);
    BeginTextureMode(target);
    ClearBackground(BLACK);
    BeginMode3D(frame.camera);
    rlDisableBackfaceCulling();
    rlDisableColorBlend();
    material_.shader = flat_;
    for (std::size_t i = 0; i < frame.items.size(); ++i) {
        const Item& item = frame.items[i];
        if (item.look.alpha < 1.0) continue;  // one sees through it
        const std::size_t id = i + 1;
        const float color[4] = {static_cast<float>(id & 255) / 255.0f, static_cast<float>(id >> 8) / 255.0f, 0, 1};
        SetShaderValue(flat_, at_->flat_color, color, SHADER_UNIFORM_VEC4);
        DrawMesh(item.mesh->mesh(), material_, transform_of(item));
    }
    EndMode3D();
    rlEnableColorBlend();
    EndTextureMode();
    Image image = LoadImageFromTexture(target.texture);
    std::vector<int> pixels(frame.items.size(), 0);
    ImageFormat(&image, PIXELFORMAT_UNCOMPRESSED_R8G8B8A8);
    const auto* data = static_cast<const unsigned char*>(image.data);
    for (int i = 0; i < image.width * image.height; ++i) {
        const std::size_t id = data[4 * i] + 256u * data[4 * i + 1];
        if (id > 0 && id <= pixels.size()) ++pixels[id - 1];
    }
    UnloadImage(image);
    UnloadRenderTexture(target);
    return pixels;
}

}  // namespace demos::app
