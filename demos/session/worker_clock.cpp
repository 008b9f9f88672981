#include "demos/session/worker_clock.hpp"

#include <taskflow/taskflow.hpp>

#include <atomic>
#include <chrono>

namespace demos::app {

namespace {

std::int64_t now_ns() {
    using namespace std::chrono;
    return duration_cast<nanoseconds>(steady_clock::now().time_since_epoch()).count();
}

}  // namespace

struct WorkerClock::Observer : tf::ObserverInterface {
    struct alignas(64) Worker {
        int depth = 0;  // tasks that a task runs while it waits are within it
        std::int64_t since = 0;
        std::atomic<std::int64_t> busy{0};
    };
    std::vector<Worker> workers;

    void set_up(std::size_t count) override { workers = std::vector<Worker>(count); }
    void on_entry(tf::WorkerView worker, tf::TaskView) override {
        Worker& w = workers[worker.id()];
        if (w.depth++ == 0) w.since = now_ns();
    }
    void on_exit(tf::WorkerView worker, tf::TaskView) override {
        Worker& w = workers[worker.id()];
        if (--w.depth == 0) w.busy.fetch_add(now_ns() - w.since, std::memory_order_relaxed);
    }
};

WorkerClock::WorkerClock(tf::Executor& executor) : executor_{executor}, observer_{executor.make_observer<Observer>()} {}

WorkerClock::~WorkerClock() { executor_.remove_observer(observer_); }

std::vector<double> WorkerClock::take() {
    std::vector<double> seconds;
    for (Observer::Worker& w : observer_->workers)
        seconds.push_back(1e-9 * static_cast<double>(w.busy.exchange(0, std::memory_order_relaxed)));
    return seconds;
}

}  // namespace demos::app
