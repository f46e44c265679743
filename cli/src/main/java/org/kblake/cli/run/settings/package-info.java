/**
 * The settings and the log of {@code kblake run}.
 *
 * <p>May use {@code core.model}, {@code core.internal.names}, {@code core.internal.log.file},
 * {@code ingest.internal.backfill}, {@code core.internal.parquet.page}, {@code
 * ingest.internal.live.state}, {@code cli.settings}, {@code format.argument}, {@code cli.process},
 * {@code cli.error}, {@code cli.access}.
 */
@NullMarked
package org.kblake.cli.run.settings;

import org.jspecify.annotations.NullMarked;
