/**
 * Copies of rows between columns, the heap that merges rows, and the error of a block whose bytes
 * are wrong.
 */
@NullMarked
package org.kblake.core.internal.columns;

import org.jspecify.annotations.NullMarked;
