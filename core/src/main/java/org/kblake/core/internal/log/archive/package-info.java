/**
 * The archive: {@link org.kblake.core.internal.log.archive.Archive} lists its groups and pairs.
 * {@code ArchiveWatch} watches its directories for changes.
 */
@NullMarked
package org.kblake.core.internal.log.archive;

import org.jspecify.annotations.NullMarked;
