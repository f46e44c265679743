/**
 * The rows of a block on their way from log order to columns and back, within a budget of memory.
 */
@NullMarked
package org.kblake.ingest.internal.rows;

import org.jspecify.annotations.NullMarked;
