/**
 * Instants as text.
 *
 * <p>May use {@code core.internal.time}, {@code format.number}.
 */
@NullMarked
package org.kblake.format.time;

import org.jspecify.annotations.NullMarked;
