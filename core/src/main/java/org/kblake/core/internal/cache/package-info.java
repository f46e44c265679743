/**
 * Caches with a limit.
 *
 * <p>May use no other package of kblake.
 */
@NullMarked
package org.kblake.core.internal.cache;

import org.jspecify.annotations.NullMarked;
