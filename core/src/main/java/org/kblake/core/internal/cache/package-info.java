/** Caches with a limit. */
@NullMarked
package org.kblake.core.internal.cache;

import org.jspecify.annotations.NullMarked;
