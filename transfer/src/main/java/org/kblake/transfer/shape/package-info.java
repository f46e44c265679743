/**
 * Limits of what a collector sends: rules of the network's scheduler as a script ({@link
 * org.kblake.transfer.shape.ShapingScript}), or where they are not allowed, in the sender ({@link
 * org.kblake.transfer.shape.SendingRate}).
 */
@NullMarked
package org.kblake.transfer.shape;

import org.jspecify.annotations.NullMarked;
