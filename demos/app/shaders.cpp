#include "demos/app/shaders.hpp"

namespace demos::app::shaders {

const char* const surface_vertex = R"(#version 330
in vec3 vertexPosition;
in vec3 vertexNormal;
uniform mat4 mvp, matModel, matNormal;
out vec3 at_W, normal_W, at_B, normal_B;
void main() {
    at_B = vertexPosition;
    normal_B = vertexNormal;
    at_W = vec3(matModel * vec4(vertexPosition, 1.0));
    normal_W = mat3(matNormal) * vertexNormal;
    gl_Position = mvp * vec4(vertexPosition, 1.0);
}
)";

const char* const surface_fragment = R"(#version 330
in vec3 at_W, normal_W, at_B, normal_B;
out vec4 result;

uniform vec4 color;         // linear, with opacity
uniform float metal, roughness;
uniform int pattern;        // as demos::Pattern; 100 the floor of the studio, 101 no light
uniform int number;         // of a ball
uniform vec3 extent;        // [m] half lengths of the object
uniform vec3 eye;
uniform vec3 light;         // unit vector towards the key light
uniform float key;          // its strength
uniform vec3 sky, horizon, earth;  // light from above, from the side, from below
uniform mat4 light_matrix;
uniform float texel;        // of the shadow map, in its own coordinates
uniform float blur;         // width of the light, in coordinates of the shadow map for unit depth
uniform int taps;           // samples of a shadow
uniform vec3 floor_center;
uniform float floor_size;   // [m] where the floor fades
uniform float grid;         // [m] between lines
uniform sampler2D shadow_map;
uniform sampler2D digits;   // 16 cells in 4 rows: the numbers of the balls

const float pi = 3.14159265;

float hash(vec3 p) {
    p = fract(p * 0.3183099 + vec3(0.71, 0.113, 0.419));
    p *= 17.0;
    return fract(p.x * p.y * p.z * (p.x + p.y + p.z));
}
float noise(vec3 p) {
    vec3 i = floor(p), f = fract(p);
    f = f * f * (3.0 - 2.0 * f);
    return mix(mix(mix(hash(i), hash(i + vec3(1, 0, 0)), f.x), mix(hash(i + vec3(0, 1, 0)), hash(i + vec3(1, 1, 0)), f.x), f.y),
               mix(mix(hash(i + vec3(0, 0, 1)), hash(i + vec3(1, 0, 1)), f.x),
                   mix(hash(i + vec3(0, 1, 1)), hash(i + vec3(1, 1, 1)), f.x), f.y), f.z);
}

// Points of a disc in a spiral, turned from pixel to pixel.
vec2 spiral(int i, int n, float turn) {
    float r = sqrt((float(i) + 0.5) / float(n)), a = float(i) * 2.399963 + turn;
    return r * vec2(cos(a), sin(a));
}

// x: share of the key light that arrives, y: the same in a wide neighbourhood, which darkens corners.
vec2 lit(vec3 n) {
    vec4 p4 = light_matrix * vec4(at_W + n * texel * 12.0 * floor_size * 0.02, 1.0);
    vec3 p = 0.5 * p4.xyz / p4.w + 0.5;
    if (p.x <= 0.0 || p.x >= 1.0 || p.y <= 0.0 || p.y >= 1.0 || p.z >= 1.0) return vec2(1.0);
    float slope = clamp(1.0 - dot(n, light), 0.0, 1.0);
    float bias = texel * (0.8 + 2.0 * slope);
    float turn = 6.2831853 * fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
    // How far away is what is in the way? The farther, the softer.
    float blockers = 0.0, depth = 0.0;
    for (int i = 0; i < taps; ++i) {
        float d = texture(shadow_map, p.xy + blur * 0.06 * spiral(i, taps, turn)).r;
        if (d < p.z - bias) {
            blockers += 1.0;
            depth += d;
        }
    }
    float wide = 1.0 - blockers / float(taps);
    if (blockers == 0.0) return vec2(1.0);
    float width = clamp(blur * (p.z - depth / blockers), 1.2 * texel, 0.06 * blur);
    float sum = 0.0;
    for (int i = 0; i < taps; ++i)
        sum += step(p.z - bias - 0.06 * width, texture(shadow_map, p.xy + width * spiral(i, taps, turn)).r);
    return vec2(sum / float(taps), wide);
}

// What a smooth surface mirrors: a studio with a large soft light above and a strip at the side.
vec3 surroundings(vec3 d, float rough) {
    vec3 base = mix(horizon, sky, smoothstep(0.0, 0.9, d.z));
    base = mix(base, earth, smoothstep(0.0, -0.35 - rough, d.z));
    float edge = 0.03 + 0.5 * rough;
    float box = smoothstep(0.90 - edge, 0.90 + edge, dot(d, normalize(light + vec3(0.0, 0.0, 0.25))));
    vec3 side = normalize(vec3(-light.y, light.x, 0.35));
    float strip = smoothstep(0.25 + edge, 0.0, abs(dot(d, normalize(cross(side, vec3(0, 0, 1)))))) *
                  smoothstep(0.55, 0.85, dot(d, side));
    return base + key * (1.0 - 0.6 * rough) * (1.7 * box + 0.55 * strip) * mix(1.0, 0.35, rough);
}

vec3 painted(inout float rough) {
    vec3 c = color.rgb;
    if (pattern == 1) {  // wood: fibres along the longest side, and the rings of the tree
        vec3 p = at_B;
        if (extent.y > extent.x && extent.y >= extent.z) p = p.yxz;
        else if (extent.z > extent.x) p = p.zxy;
        float s = max(max(extent.x, extent.y), extent.z);
        vec3 q = p / s;
        vec3 b = vec3(0.35, 1.0, 1.0) * q + 0.11 * noise(vec3(1.5, 4.0, 4.0) * q);
        float rings = 0.5 + 0.5 * sin(60.0 * length(b.yz * vec2(1.0, 1.4) + vec2(0.31, 0.9)));
        float fibres = noise(vec3(9.0, 190.0, 190.0) * q);
        c *= 0.80 + 0.17 * rings + 0.16 * (fibres - 0.5);
        rough = clamp(rough + 0.15 * (fibres - 0.5), 0.05, 1.0);
    } else if (pattern == 2) {  // cloth
        c *= 0.93 + 0.14 * noise(900.0 * at_B) * noise(90.0 * at_B) + 0.05 * noise(8.0 * at_B);
    } else if (pattern == 3) {  // checker of latitude and longitude
        vec3 d = normalize(at_B);
        float a = floor(atan(d.y, d.x) / pi * 8.0), b = floor(acos(clamp(d.z, -1.0, 1.0)) / pi * 8.0);
        if (mod(a + b, 2.0) < 0.5) c = mix(c, vec3(0.85), 0.82);
    } else if (pattern == 4) {  // billiard ball
        vec3 d = normalize(at_B);
        vec3 white = vec3(0.86, 0.83, 0.74);
        if (number == 0) {
            c = white;
            float m = max(max(abs(d.x), abs(d.y)), abs(d.z));
            c = mix(c, vec3(0.62, 0.03, 0.03), smoothstep(0.980, 0.984, m));
        } else {
            if (number > 8) c = mix(c, white, smoothstep(0.53, 0.55, abs(d.y)));
            float r = length(d.xy);
            if (r < 0.5) {
                vec2 uv = d.xy * vec2(sign(d.z), 1.0);
                vec2 cell = vec2(mod(float(number), 4.0), floor(float(number) / 4.0));
                float ink = texture(digits, (cell + clamp(0.5 + vec2(uv.x, -uv.y) * 1.45, 0.02, 0.98)) / 4.0).r;
                vec3 disc = mix(white, vec3(0.02), r < 0.33 ? ink : 0.0);
                c = mix(disc, c, smoothstep(0.36, 0.375, r));
            }
        }
    } else if (pattern == 5) {  // bands across the longest side, to show how it turns
        vec3 p = at_B / extent;
        float t = extent.x >= max(extent.y, extent.z) ? p.x : (extent.y >= extent.z ? p.y : p.z);
        float band = smoothstep(0.30, 0.31, abs(t)) - smoothstep(0.55, 0.56, abs(t));
        c = mix(c, vec3(0.87, 0.85, 0.8), band);
        c *= t > 0.0 ? 1.0 : 0.72;
    }
    return c;
}

vec3 tone(vec3 x) {  // film-like: bright things keep their colour
    x *= 0.92;
    x = clamp((x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0);
    return pow(x, vec3(1.0 / 2.2));
}

void main() {
    if (pattern == 101) {
        result = color;
        return;
    }
    vec3 n = normalize(normal_W), v = normalize(eye - at_W);
    if (dot(n, v) < 0.0) n = -n;
    float rough = roughness, alpha = color.a;
    vec3 c = painted(rough);
    if (pattern == 100) {
        vec2 q = at_W.xy / grid, w = max(fwidth(q), vec2(1e-5));
        vec2 l = abs(fract(q - 0.5) - 0.5) / w;
        float line = (1.0 - clamp(min(l.x, l.y), 0.0, 1.0)) * clamp(0.5 - max(w.x, w.y), 0.0, 0.5);
        c *= 1.0 - 0.28 * line;
        float r = length(at_W.xy - floor_center.xy) / floor_size;
        alpha *= 1.0 - smoothstep(0.35, 1.0, r);
    }
    vec2 shade = lit(n);
    float nl = max(dot(n, light), 0.0), nv = max(dot(n, v), 1e-3);
    vec3 h = normalize(light + v);
    float nh = max(dot(n, h), 0.0), vh = max(dot(v, h), 0.0);
    float a = max(rough * rough, 0.004), a2 = a * a;
    float d = nh * nh * (a2 - 1.0) + 1.0;
    float k = (rough + 1.0) * (rough + 1.0) / 8.0;
    float spread = a2 / (pi * d * d) / (4.0 * (nl * (1.0 - k) + k) * (nv * (1.0 - k) + k));
    vec3 f0 = mix(vec3(0.04), c, metal);
    vec3 f = f0 + (1.0 - f0) * pow(1.0 - vh, 5.0);
    float corner = mix(0.5, 1.0, shade.y);
    vec3 ambient = mix(mix(earth, horizon, smoothstep(-1.0, 0.0, n.z)), sky, smoothstep(-0.2, 1.0, n.z)) * corner;
    vec3 diffuse = c * (1.0 - metal) * (ambient + (1.0 - f) * key * nl * shade.x);
    if (pattern == 2) diffuse *= 1.0 + 0.25 * pow(1.0 - nv, 3.0);
    // Mirrored surroundings (a fit of the integral over all directions).
    vec4 r4 = rough * vec4(-1, -0.0275, -0.572, 0.022) + vec4(1, 0.0425, 1.04, -0.04);
    float a004 = min(r4.x * r4.x, exp2(-9.28 * nv)) * r4.x + r4.y;
    vec2 ab = vec2(-1.04, 1.04) * a004 + r4.zw;
    vec3 mirror = surroundings(reflect(-v, n), rough) * (f0 * ab.x + ab.y) * corner;
    vec3 shine = min(f * spread, vec3(4.0)) * key * nl * shade.x;
    if (pattern == 100 || pattern == 2) { mirror *= 0.25; shine *= 0.2; }
    vec3 sum = diffuse + mirror + shine;
    if (alpha < 0.99 && pattern != 100) alpha = clamp(alpha + 0.5 * pow(1.0 - nv, 3.0) + 0.3 * max(mirror.r, shine.r), 0.0, 1.0);
    result = vec4(tone(sum), alpha);
}
)";

const char* const depth_fragment = R"(#version 330
void main() {}
)";

const char* const flat_fragment = R"(#version 330
uniform vec4 color;
out vec4 result;
void main() { result = color; }
)";

const char* const screen_fragment = R"(#version 330
in vec2 fragTexCoord;
out vec4 result;
uniform vec3 upper, lower;
uniform float stars;
uniform vec2 size;
float hash(vec2 p) { return fract(sin(dot(p, vec2(127.1, 311.7))) * 43758.5453); }
void main() {
    vec2 q = gl_FragCoord.xy / size;
    vec3 c = mix(lower, upper, smoothstep(0.0, 1.0, q.y));
    float r = length((q - vec2(0.5, 0.55)) * vec2(1.2, 1.0));
    c *= 1.06 - 0.22 * r * r;
    if (stars > 0.0) {
        vec2 cell = floor(q * vec2(160.0, 90.0)), inside = fract(q * vec2(160.0, 90.0)) - 0.5;
        float h = hash(cell);
        vec2 at = 0.6 * (vec2(hash(cell + 7.0), hash(cell + 13.0)) - 0.5);
        float glow = smoothstep(0.16, 0.0, length(inside - at) / (0.4 + 0.8 * hash(cell + 3.0)));
        c += stars * step(0.955, h) * glow * (0.25 + 0.75 * hash(cell + 5.0));
    }
    c += (hash(gl_FragCoord.xy) - 0.5) / 255.0;
    result = vec4(c, 1.0);
}
)";

const char* const final_fragment = R"(#version 330
in vec2 fragTexCoord;
out vec4 result;
uniform sampler2D texture0;
uniform vec2 texel;   // of texture0
uniform int scale;    // of texture0 against the screen
vec3 at(vec2 o) { return texture(texture0, fragTexCoord + o * texel).rgb; }
float luma(vec3 c) { return dot(c, vec3(0.299, 0.587, 0.114)); }
void main() {
    vec3 c = at(vec2(0));
    if (scale >= 2) {  // the mean of all that were drawn for this one
        c = vec3(0);
        for (int i = 0; i < scale; ++i)
            for (int j = 0; j < scale; ++j) c += at(vec2(i, j) - 0.5 * float(scale - 1));
        c /= float(scale * scale);
    } else {  // smooth along edges
        float nw = luma(at(vec2(-1, -1))), ne = luma(at(vec2(1, -1))), sw = luma(at(vec2(-1, 1))), se = luma(at(vec2(1, 1)));
        float m = luma(c), low = min(m, min(min(nw, ne), min(sw, se))), high = max(m, max(max(nw, ne), max(sw, se)));
        if (high - low > max(0.03, 0.1 * high)) {
            vec2 d = vec2((sw + se) - (nw + ne), (nw + sw) - (ne + se));
            d /= min(abs(d.x), abs(d.y)) + max(0.25 * 0.125 * (nw + ne + sw + se), 0.0078);
            d = clamp(d, -6.0, 6.0);
            vec3 a = 0.5 * (at(d * -0.1667) + at(d * 0.1667));
            vec3 b = 0.5 * a + 0.25 * (at(d * -0.5) + at(d * 0.5));
            float l = luma(b);
            c = l < low || l > high ? a : b;
        }
    }
    result = vec4(c, 1.0);
}
)";

}  // namespace demos::app::shaders
