/** What a block is, and how it is written, found and read back. */
@NullMarked
package org.kblake.core.store;

import org.jspecify.annotations.NullMarked;
