/**
 * Settings that depend on how long the process lives.
 *
 * <p>May use no other package of kblake.
 */
@NullMarked
package org.kblake.core.internal.start;

import org.jspecify.annotations.NullMarked;
