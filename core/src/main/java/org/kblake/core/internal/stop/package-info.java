/**
 * Whether the work of a thread is no longer wanted.
 *
 * <p>May use no other package of kblake.
 */
@NullMarked
package org.kblake.core.internal.stop;

import org.jspecify.annotations.NullMarked;
