// tactus: the command line.
#include "tools/cli/commands.hpp"

#include <tactus/tactus.hpp>

#include <CLI/CLI.hpp>

#include <iostream>
#include <limits>

namespace {

// A number from min to max; CLI11's own Range lets NaN pass.
CLI::Validator number(double min, double max, const std::string& allowed) {
    const auto refusal = [min, max, allowed](const std::string& text) -> std::string {
        double value = 0.0;
        if (CLI::detail::lexical_cast(text, value) && value >= min && value <= max) return "";
        return text + ": must be " + allowed;
    };
    return CLI::Validator{refusal, "NUMBER"};
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{"Tactus: a physics engine that knows exactly when things touch"};
    app.set_version_flag("--version", tactus::version);
    app.require_subcommand(1);
    int status = cli::success;

    std::string scene;
    auto* check = app.add_subcommand("check", "validate a scene file and say what is wrong, with the JSON path");
    check->add_option("SCENE", scene, "scene file (JSON)")->required();
    check->callback([&] { status = cli::check(scene); });

    auto* tree = app.add_subcommand("tree", "print the super-objects of a scene file");
    tree->add_option("SCENE", scene, "scene file (JSON)")->required();
    tree->callback([&] { status = cli::tree(scene); });

    cli::RunOptions run_options;
    auto* run = app.add_subcommand("run", "simulate a scene file");
    run->add_option("SCENE", run_options.scene, "scene file (JSON)")->required();
    constexpr double largest = std::numeric_limits<double>::max();
    run->add_option("--until", run_options.until, "stop time [s]")
        ->check(number(-largest, largest, "a finite number [s]"));
    run->add_option("--tol", run_options.tolerance, "relative tolerance")
        ->check(number(1e-14, 0.1, "a number >= 1e-14 and <= 0.1"));
    run->add_option("--solver", run_options.solver, "integrator")
        ->check(CLI::IsMember(std::vector<std::string>(tactus::solver_names.begin(), tactus::solver_names.end())));
    run->add_option("--workers", run_options.workers, "threads; 0: one for each core")->check(CLI::Range(0, 1024));
    run->add_option("--results", run_options.results, "write signals to FILE.csv or FILE.json");
    run->add_flag("--final", run_options.final_states, "print the final states");
    run->add_flag("--json", run_options.json, "print as JSON");
    run->callback([&] { status = cli::run(run_options); });

    auto* schema = app.add_subcommand("schema", "print the JSON Schema of scene files");
    schema->callback([&] { status = cli::schema(); });

    bool json = false;
    auto* demos = app.add_subcommand("demos", "list the demos");
    demos->add_flag("--json", json, "print as JSON");
    demos->callback([&] { status = cli::demos(json); });

    cli::DemoOptions demo_options;
    auto* demo = app.add_subcommand("demo", "show a demo, or draw it without a display");
    demo->add_option("NAME", demo_options.name, "see `tactus demos`; without it the gallery opens");
    demo->add_flag("--headless", demo_options.headless, "open no window");
    demo->add_option("--seconds", demo_options.seconds, "of simulated time")
        ->check(number(0.0, 3600.0, ">= 0 and <= 3600 [s]"));
    demo->add_option("--shot", demo_options.shot, "write the last picture to FILE.png");
    demo->add_option("--video", demo_options.video, "write a film of all pictures, 60 a second, to FILE.mp4");
    demo->add_option("--size", demo_options.size, "of the window or picture, e.g. 1280x720");
    demo->add_option("--workers", demo_options.workers, "threads; 0: one for each core")->check(CLI::Range(0, 1024));
    demo->add_option("--set", demo_options.parameters, "a parameter of the demo, e.g. --set balls=4");
    demo->add_option("--smoothness", demo_options.smoothness, "drawn pixels for each one in a picture, each way")
        ->check(CLI::Range(1, 4));
    demo->add_flag("--no-caption", demo_options.no_caption, "no title in pictures");
    demo->add_flag("--json", demo_options.json, "print where the followed objects are in the last picture");
    demo->callback([&] { status = cli::demo(demo_options); });

    std::string bench_name;
    int workers = 0;
    auto* bench = app.add_subcommand("bench", "run a benchmark, with its peers where they are installed");
    long fuzz_count = 0;
    std::uint64_t fuzz_seed = 1;
    bench
        ->add_option(
            "NAME", bench_name,
            "structure, narrow, broad, dynamics, pipeline, billiards, pile, dominoes, contact, actions, frames, or all")
        ->required();
    bench->add_option("--workers", workers, "threads; 0: as the benchmark wants, one for each core with --fuzz")
        ->check(CLI::Range(0, 1024));
    bool markdown = false;
    bench->add_flag("--json", json, "print as JSON");
    bench->add_flag("--markdown", markdown, "print as the tables of a documentation page");
    auto* fuzz =
        bench->add_option("--fuzz", fuzz_count, "try so many hard random inputs instead, print what goes wrong")
            ->check(CLI::Range(1L, 1000000000L));
    bench->add_option("--seed", fuzz_seed, "of --fuzz")->needs(fuzz);
    bench->callback([&] {
        status = fuzz_count > 0 ? cli::fuzz(bench_name, fuzz_count, fuzz_seed, workers)
                                : cli::bench(bench_name, workers,
                                             json       ? cli::BenchOutput::json
                                             : markdown ? cli::BenchOutput::markdown
                                                        : cli::BenchOutput::table);
    });

    try {
        app.parse(argc, argv);
    } catch (const CLI::RequiredError& e) {
        const std::vector<std::string> rest = app.remaining(true);
        if (rest.empty()) return app.exit(e, std::cout, std::cerr) == 0 ? cli::success : cli::wrong_input;
        std::cerr << "tactus: there is no command '" << rest.front() << "'\nRun with --help for more information.\n";
        return cli::wrong_input;
    } catch (const CLI::ParseError& e) {
        return app.exit(e, std::cout, std::cerr) == 0 ? cli::success : cli::wrong_input;
    } catch (const std::exception& e) {
        std::cerr << "tactus: " << e.what() << '\n';
        return cli::failed;
    }
    return status;
}
