// How long each worker of a Taskflow executor is busy.
#pragma once

#include <memory>
#include <vector>

namespace tf {
class Executor;
}

namespace demos::app {

class WorkerClock {
public:
    explicit WorkerClock(tf::Executor& executor);
    ~WorkerClock();

    std::vector<double> take();  // [s] of each worker since the last call

private:
    struct Observer;
    tf::Executor& executor_;
    std::shared_ptr<Observer> observer_;
};

}  // namespace demos::app
