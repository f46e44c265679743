/**
 * Numbers as decimal text.
 *
 * <p>May use no other package of kblake.
 */
@NullMarked
package org.kblake.format.number;

import org.jspecify.annotations.NullMarked;
