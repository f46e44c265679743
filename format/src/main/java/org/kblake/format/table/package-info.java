/**
 * Values held on a grid as a table in Arrow vectors: a row for each point, a column for each
 * channel.
 *
 * <p>May use {@code core.columns}, {@code core.model}, {@code query}, {@code query.answer}.
 */
@NullMarked
package org.kblake.format.table;

import org.jspecify.annotations.NullMarked;
