/**
 * Copies of growing logs on a local disk: the files of the mirror, how they are written and read.
 * Their meaning is known to the log packages only.
 *
 * <p>May use {@code core.model}, {@code core.internal.log.file}, {@code core.internal.log.pair}.
 */
@NullMarked
package org.kblake.core.internal.mirror;

import org.jspecify.annotations.NullMarked;
