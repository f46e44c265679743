/**
 * Whether the user has stopped the command.
 *
 * <p>May use no other package of kblake.
 */
@NullMarked
package org.kblake.hbase.stop;

import org.jspecify.annotations.NullMarked;
