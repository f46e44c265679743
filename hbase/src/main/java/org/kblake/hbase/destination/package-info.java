/**
 * Where the cells of batches go: a table, or a directory for a later bulk load. A batch that is
 * there already is not written again.
 */
@NullMarked
package org.kblake.hbase.destination;

import org.jspecify.annotations.NullMarked;
