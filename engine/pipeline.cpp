#include <tactus/engine/pipeline.hpp>

#include <taskflow/taskflow.hpp>

#include <exception>

namespace tactus {

struct Pipeline::Graph {
    tf::Taskflow flow;
    std::exception_ptr thrown;  // by a stage: no exception may leave a task
};

Pipeline::Pipeline() = default;
Pipeline::~Pipeline() = default;

void Pipeline::declare(std::vector<Task> tasks, Workers& workers, bool parallel, StageClock& clock) {
    tasks_ = std::move(tasks);
    workers_ = &workers;
    clock_ = &clock;
    graph_.reset();
    if (!parallel) return;
    graph_ = std::make_unique<Graph>();
    std::vector<tf::Task> chain;
    for (const Task& task : tasks_)
        chain.push_back(graph_->flow.emplace([this, &task] {
            if (graph_->thrown) return;
            try {
                clock_->measure(task.stage, task.work);
            } catch (...) { graph_->thrown = std::current_exception(); }
        }));
    for (std::size_t i = 0; i + 1 < chain.size(); ++i) {
        chain[i].name(std::string{stage_names[static_cast<std::size_t>(tasks_[i].stage)]});
        chain[i].precede(chain[i + 1]);
    }
}

void Pipeline::run() {
    const bool by_worker = graph_ && workers_->count() > 1 && workers_->executor()->this_worker_id() >= 0;
    if (!by_worker) {  // in line
        for (const Task& task : tasks_) clock_->measure(task.stage, task.work);
        return;
    }
    workers_->executor()->corun(graph_->flow);
    if (graph_->thrown) std::rethrow_exception(std::exchange(graph_->thrown, nullptr));
}

}  // namespace tactus
