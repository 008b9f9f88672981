// A tiny game around Tactus: balls are thrown at bottles. The game owns the registry, the threads and the clock; Tactus
// moves the bodies among the entities, within a budget of each frame, and tells when exactly something was hit.
//   host [seconds] [--watch]     without --watch it does not wait for the clock
#include <tactus/engine/glm.hpp>
#include <tactus/tactus.hpp>

#include <taskflow/taskflow.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

namespace {

// ---- components of the game's own, on the same entities ----

struct Ball {
    double thrown = 0.0;  // [s]
};
struct Bottle {
    int place = 0, hits = 0;
};
struct Sprite {
    char symbol = '?';
};
struct Spark {  // an entity that Tactus knows nothing of
    glm::dvec3 position, velocity;
    double left = 0.5;  // [s] to live
};

class Game {
public:
    Game() {
        world.scene({.gravity = {0, 0, -9.81}, .contact_detection = true});
        world.set_simulation({.tolerance = 1e-3});  // plenty for a game
        world.add({.name = "shelf",
                   .translation = {3, 0, -0.05},
                   .shape = tactus::Box{1, 2, 0.1},
                   .material = "DryWood",
                   .collidable = true});
        for (int place = 0; place < 5; ++place) put_bottle(place);
        world.on_contact([this](const tactus::ContactEvent& contact) { touched(contact); });
    }

    // One frame of 1/60 s. Whatever happens in it, it is over about `budget` later.
    void frame(tactus::Budget budget) {
        const double dt = 1.0 / 60;
        if (world.time() >= next_throw) throw_ball();
        tidy_up();

        wanted += dt;
        const tactus::Advance reached = world.advance(std::max(0.0, wanted - world.time()), budget);
        behind = reached.behind;
        most_behind = std::max(most_behind, behind);
        if (behind > 0.25)
            wanted = reached.time + 0.25;  // from here on in slow motion, rather than never again in time

        fly(dt);
    }

    // What a renderer would do: only poses are read.
    std::string picture() {
        std::vector<std::string> rows(12, std::string(72, ' '));
        const auto plot = [&](const glm::dvec3& p, char symbol) {
            const auto column = static_cast<long>(p.x / 4.0 * 72), row = static_cast<long>(11 - (p.z + 0.4) / 1.4 * 11);
            if (column >= 0 && column < 72 && row >= 0 && row < 12)
                rows[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)] = symbol;
        };
        for (int i = 0; i < 18; ++i) plot({2.5 + i / 18.0, 0, -0.03}, '=');
        for (const auto [e, spark] : registry.view<Spark>().each()) plot(spark.position, '*');
        for (const auto [e, sprite] : registry.view<Sprite>().each()) {
            const glm::dmat4 X = tactus::to_glm(world.pose(e));
            plot(X[3], sprite.symbol);
        }
        std::string text;
        for (const std::string& row : rows) text += row + '\n';
        return text;
    }

    double time() const { return world.time(); }
    double behind = 0.0, most_behind = 0.0;  // [s]
    int thrown = 0, hits = 0;

private:
    void throw_ball() {
        next_throw += 1.0 / 3;  // in the World's time: where that falls behind, the one before must have left
        const double aim = 0.3 * (thrown % 5 - 2);
        const tactus::Entity ball = world.add({.name = "ball" + std::to_string(thrown++),
                                               .free = true,
                                               .translation = {0, 0, 0.3},
                                               .velocity = {6, 2 * aim, 2.0},
                                               .shape = tactus::Sphere{0.06},
                                               .material = "Steel",
                                               .collidable = true});
        registry.emplace<Ball>(ball, world.time());
        registry.emplace<Sprite>(ball, 'o');
    }

    void put_bottle(int place) {
        const tactus::Entity bottle = world.add({.name = "bottle" + std::to_string(put++),
                                                 .free = true,
                                                 .translation = {3, 0.3 * (place - 2), 0.1},
                                                 .shape = tactus::Cylinder{.diameter = 0.08, .length = 0.2},
                                                 .material = "DryWood",
                                                 .collidable = true});
        registry.emplace<Bottle>(bottle, place);
        registry.emplace<Sprite>(bottle, 'H');
    }

    // Balls go after a while; a bottle that has fallen down is replaced.
    void tidy_up() {
        std::vector<tactus::Entity> gone;
        std::vector<int> places;
        for (const auto [e, ball] : registry.view<Ball>().each())
            if (world.time() - ball.thrown > 1.5) gone.push_back(e);
        for (const auto [e, bottle] : registry.view<Bottle>().each())
            if (world.pose(e).p.z() < -1.0) gone.push_back(e), places.push_back(bottle.place);
        for (const tactus::Entity e : gone) world.remove(e);
        for (const int place : places) put_bottle(place);
    }

    // Called at the very instant, in the middle of a frame.
    void touched(const tactus::ContactEvent& contact) {
        if (!contact.start) return;
        for (const tactus::Entity e : {contact.object1, contact.object2}) {
            const tactus::Entity other = e == contact.object1 ? contact.object2 : contact.object1;
            auto* bottle = registry.try_get<Bottle>(e);
            if (!bottle || !registry.all_of<Ball>(other)) continue;
            ++bottle->hits;
            ++hits;
            std::printf("t = %.9f s  %s hits %s with %.2f m/s\n", contact.time, world.name(other).c_str(),
                        world.name(e).c_str(), contact.impact_speed);
            for (int i = 0; i < 3; ++i)
                registry.emplace<Spark>(registry.create(), tactus::to_glm(contact.point),
                                        glm::dvec3{-0.5, 0.5 * (i - 1), 1.0 + 0.5 * i});
        }
    }

    // The game's own system, on the same threads.
    void fly(double dt) {
        tf::Taskflow flow;
        for (auto [e, spark] : registry.view<Spark>().each())
            flow.emplace([&spark, dt] {
                spark.velocity.z -= 9.81 * dt;
                spark.position += spark.velocity * dt;
                spark.left -= dt;
            });
        executor.run(flow).wait();
        for (const auto [e, spark] : registry.view<Spark>().each())
            if (spark.left <= 0.0) registry.destroy(e);
    }

    entt::registry registry;
    tf::Executor executor{1};
    tactus::World world{{.executor = &executor, .registry = &registry}};
    double wanted = 0.0;      // [s] where the simulation should be
    double next_throw = 0.0;  // [s]
    int put = 0;
};

}  // namespace

int main(int argc, char** argv) try {
    const double seconds = argc > 1 ? std::atof(argv[1]) : 10.0;
    const bool watch = argc > 2 && std::strcmp(argv[2], "--watch") == 0;
    Game game;
    std::vector<double> milliseconds;
    Clock::time_point next = Clock::now();
    while (game.time() < seconds) {
        const Clock::time_point start = Clock::now();
        game.frame(4ms);
        milliseconds.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
        if (watch) {
            std::printf("\033[H\033[J%sbehind by %.3f s\n", game.picture().c_str(), game.behind);
            std::this_thread::sleep_until(next += 16667us);
        }
    }
    std::sort(milliseconds.begin(), milliseconds.end());
    const auto part = [&](double p) {
        return milliseconds[static_cast<std::size_t>(p * double(milliseconds.size() - 1))];
    };
    std::printf("%s%d balls, %d hits\n", game.picture().c_str(), game.thrown, game.hits);
    std::printf("%zu frames for %.1f s: half within %.2f ms, 99 %% within %.2f ms, the longest %.2f ms; at most %.3f s "
                "behind\n",
                milliseconds.size(), game.time(), part(0.5), part(0.99), part(1.0), game.most_behind);
} catch (const tactus::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
