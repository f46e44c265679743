/**
 * Values held on a grid as a table in Arrow vectors: a row for each point, a column for each
 * channel.
 */
@NullMarked
package org.kblake.format.table;

import org.jspecify.annotations.NullMarked;
