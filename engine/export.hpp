// TACTUS_API marks what a shared library shows. Everything else stays inside of it.
#pragma once

#if defined(TACTUS_SHARED) && defined(__GNUC__)
#define TACTUS_API __attribute__((visibility("default")))
#else
#define TACTUS_API
#endif
