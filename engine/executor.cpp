#include <tactus/engine/executor.hpp>

#include <taskflow/taskflow.hpp>

#include <algorithm>
#include <thread>

namespace tactus {

OwnExecutor make_executor(std::size_t workers) {
    const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
    return {new tf::Executor{workers > 0 ? workers : cores}, [](tf::Executor* executor) { delete executor; }};
}

}  // namespace tactus
