/**
 * Names that are close to a name that was not found.
 *
 * <p>May use no other package of kblake.
 */
@NullMarked
package org.kblake.core.internal.names;

import org.jspecify.annotations.NullMarked;
