/** The side that takes bytes from collectors, and writes them to pairs of a root of its own. */
@NullMarked
package org.kblake.transfer.build;

import org.jspecify.annotations.NullMarked;
