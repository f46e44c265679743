/**
 * Finds the channels that left their own habit, in one pass over the events of each group
 * (docs/design/moved.md).
 */
@NullMarked
package org.kblake.query.internal.moved;

import org.jspecify.annotations.NullMarked;
