// A Taskflow executor without its headers, which are heavy on the compiler.
#pragma once

#include <cstddef>
#include <memory>

namespace tf {
class Executor;
}

namespace tactus {

using OwnExecutor = std::unique_ptr<tf::Executor, void (*)(tf::Executor*)>;

inline OwnExecutor no_executor() { return {nullptr, nullptr}; }
OwnExecutor make_executor(std::size_t workers);  // 0: one for each core

}  // namespace tactus
