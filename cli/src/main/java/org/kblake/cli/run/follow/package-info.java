/**
 * The service that follows an archive, as {@code kblake run} starts it: its plan and its thread.
 *
 * <p>May use {@code core.model}, {@code core.internal.log.archive}, {@code core.internal.store},
 * {@code core.internal.parquet.file}, {@code core.internal.parquet.page}, {@code
 * ingest.internal.compact}, {@code ingest.internal.live}, {@code ingest.internal.live.state},
 * {@code cli.run.settings}, {@code cli.run.status}.
 */
@NullMarked
package org.kblake.cli.run.follow;

import org.jspecify.annotations.NullMarked;
