/**
 * SQL views over tables, for engines: events, held values, means over time.
 *
 * <p>May use {@code core.internal.metadata}, {@code core.model}, {@code cli.files}, {@code
 * lake.facts}, {@code lake.table}.
 */
@NullMarked
package org.kblake.lake.view;

import org.jspecify.annotations.NullMarked;
