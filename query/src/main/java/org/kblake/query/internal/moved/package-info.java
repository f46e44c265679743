/**
 * Finds the channels that left their own habit, in one pass over the events of each group
 * (docs/design/moved.md).
 *
 * <p>May use {@code core.model}, {@code core.columns}, {@code core.internal.stop}, {@code
 * query.question}, {@code query.answer}, {@code query.internal.plan}, {@code
 * query.internal.source}.
 */
@NullMarked
package org.kblake.query.internal.moved;

import org.jspecify.annotations.NullMarked;
