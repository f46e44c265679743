/**
 * Where the cells of stretches go: a table, or a directory for a later bulk load. A stretch that is
 * there already is not written again.
 */
@NullMarked
package org.kblake.hbase.destination;

import org.jspecify.annotations.NullMarked;
