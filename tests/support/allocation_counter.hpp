// How often this thread has asked for heap memory.
#pragma once

namespace tactus::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool counts_allocations = false;  // sanitizers have their own operator new
#else
inline constexpr bool counts_allocations = true;
#endif

// Calls of operator new in this thread so far; 0 if they are not counted.
long allocations();

}  // namespace tactus::test
