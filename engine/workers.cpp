#include <tactus/engine/workers.hpp>

#include <taskflow/taskflow.hpp>

#include <algorithm>
#include <atomic>
#include <exception>

namespace tactus {

// The graph of a loop: one task for each worker, made once.
struct Workers::Impl {
    tf::Executor& executor;
    tf::Taskflow loop;
    std::atomic<std::size_t> next{0};
    std::size_t size = 0, grain = 1;
    void* body = nullptr;
    void (*call)(void*, std::size_t, std::size_t) = nullptr;

    explicit Impl(tf::Executor& e) : executor{e} {
        for (std::size_t i = 0; i < executor.num_workers(); ++i) loop.emplace([this] { take_chunks(); });
    }

    void take_chunks() {
        for (;;) {
            const std::size_t begin = next.fetch_add(grain, std::memory_order_relaxed);
            if (begin >= size) return;
            call(body, begin, std::min(begin + grain, size));
        }
    }
};

Workers::Workers() = default;
Workers::Workers(tf::Executor& executor) : impl_{std::make_unique<Impl>(executor)} {}
Workers::~Workers() = default;
Workers::Workers(Workers&&) noexcept = default;
Workers& Workers::operator=(Workers&&) noexcept = default;

std::size_t Workers::count() const { return impl_ ? impl_->executor.num_workers() : 1; }

tf::Executor* Workers::executor() const { return impl_ ? &impl_->executor : nullptr; }

bool Workers::spreads() const { return count() > 1; }

void Workers::enter_with(void* work, void (*call)(void*)) {
    if (!spreads() || impl_->executor.this_worker_id() >= 0) {
        call(work);
        return;
    }
    std::exception_ptr thrown;
    tf::Taskflow once;
    once.emplace([&] {
        try {
            call(work);
        } catch (...) { thrown = std::current_exception(); }
    });
    impl_->executor.run(once).wait();
    if (thrown) std::rethrow_exception(thrown);
}

void Workers::spread(std::size_t n, std::size_t grain, void* body, void (*call)(void*, std::size_t, std::size_t)) {
    Impl& impl = *impl_;
    impl.next.store(0, std::memory_order_relaxed);
    impl.size = n;
    impl.grain = std::max<std::size_t>(1, grain);
    impl.body = body;
    impl.call = call;
    if (impl.executor.this_worker_id() >= 0)
        impl.executor.corun(impl.loop);
    else
        impl.executor.run(impl.loop).wait();
}

}  // namespace tactus
