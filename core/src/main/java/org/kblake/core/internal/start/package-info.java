/**
 * Whether the process is likely to end soon.
 *
 * <p>May use no other package of kblake.
 */
@NullMarked
package org.kblake.core.internal.start;

import org.jspecify.annotations.NullMarked;
