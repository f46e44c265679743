/**
 * The formats of an answer, and the interface of their writers.
 *
 * <p>May use no other package of kblake.
 */
@NullMarked
package org.kblake.format;

import org.jspecify.annotations.NullMarked;
