#include "tests/support/allocation_counter.hpp"

#include <cstdlib>
#include <new>

namespace tactus::test {

namespace {

thread_local long count = 0;

}  // namespace

long allocations() { return count; }

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace {

void* counted(std::size_t size) {
    ++count;
    if (void* p = std::malloc(size > 0 ? size : 1)) return p;
    throw std::bad_alloc{};
}

void* counted(std::size_t size, std::align_val_t alignment) {
    ++count;
    const auto a = static_cast<std::size_t>(alignment);
    if (void* p = std::aligned_alloc(a, (size + a) / a * a)) return p;
    throw std::bad_alloc{};
}

}  // namespace

#endif

}  // namespace tactus::test

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

// The other forms of operator new and delete call these by default.
void* operator new(std::size_t size) { return tactus::test::counted(size); }
void* operator new(std::size_t size, std::align_val_t alignment) { return tactus::test::counted(size, alignment); }
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

#endif
