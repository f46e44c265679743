/**
 * What stands before all doors: who may ask, how many requests work at once, request log, metrics.
 *
 * <p>May use {@code server.internal.connection}, {@code server.settings}.
 */
@NullMarked
package org.kblake.server.internal.guard;

import org.jspecify.annotations.NullMarked;
