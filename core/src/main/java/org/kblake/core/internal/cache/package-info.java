/**
 * What is kept for later use, within a limit.
 *
 * <p>May use no other package of kblake.
 */
@NullMarked
package org.kblake.core.internal.cache;

import org.jspecify.annotations.NullMarked;
