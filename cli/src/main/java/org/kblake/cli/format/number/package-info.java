/**
 * Numbers as decimal text.
 *
 * <p>May use no other package of kblake.
 */
@NullMarked
package org.kblake.cli.format.number;

import org.jspecify.annotations.NullMarked;
