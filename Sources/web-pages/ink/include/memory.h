#pragma once
#include <stddef.h>
/// Makes sure that `size` more bytes can be allocated in new blocks; returns 0 if the browser refuses.
int ink_reserve(size_t size);
