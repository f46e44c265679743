/**
 * The Java API for reading. {@link org.kblake.query.ArchiveReader} is the entry. It opens readers,
 * cursors, followers, grids, trends and held values. It never writes to archives, and only access
 * records to stores. Its only threads read long raw logs ahead. A caller may give an executor.
 */
@NullMarked
package org.kblake.query;

import org.jspecify.annotations.NullMarked;
