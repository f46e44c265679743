/**
 * Sums of many numbers with small errors.
 *
 * <p>May use no other package of kblake.
 */
@NullMarked
package org.kblake.core.internal.sums;

import org.jspecify.annotations.NullMarked;
