/** Tests of the limits of what a collector sends. */
@NullMarked
package org.kblake.transfer.shape;

import org.jspecify.annotations.NullMarked;
