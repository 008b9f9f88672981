// The part of EnTT's API that Tactus uses, for machines where EnTT itself cannot be had. See ../README.md.
#pragma once

#include "config.hpp"
#include "context.hpp"
#include "entity.hpp"
#include "make.hpp"
#include "registry.hpp"
#include "signal.hpp"
#include "sparse_set.hpp"
#include "storage.hpp"
#include "type_index.hpp"
#include "view.hpp"
