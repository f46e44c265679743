/**
 * The archive: {@link org.kblake.core.internal.log.archive.Archive} lists its groups and pairs.
 * {@code ArchiveWatch} watches its directories for changes.
 *
 * <p>May use {@code core.model}, {@code core.archive}, {@code core.internal.log.file}, {@code
 * core.internal.log.pair}.
 */
@NullMarked
package org.kblake.core.internal.log.archive;

import org.jspecify.annotations.NullMarked;
