/**
 * Times as nanoseconds: arithmetic that does not overflow.
 *
 * <p>May use {@code core.model}.
 */
@NullMarked
package org.kblake.core.internal.time;

import org.jspecify.annotations.NullMarked;
