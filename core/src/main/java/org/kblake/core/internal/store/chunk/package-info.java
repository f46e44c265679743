/** The chunks of a block: the chunk directory, and the readers that decode the pages of a range. */
@NullMarked
package org.kblake.core.internal.store.chunk;

import org.jspecify.annotations.NullMarked;
