/**
 * The process of {@code kblake run} around the service that follows an archive.
 *
 * <p>May use {@code core.model}, {@code core.archive}, {@code core.internal.log.file}, {@code
 * core.internal.log.archive}, {@code core.internal.store}, {@code core.internal.store.file}, {@code
 * ingest.internal.pace}, {@code ingest.internal.live}, {@code ingest.internal.live.state}, {@code
 * cli.run.follow}, {@code cli.run.settings}, {@code cli.run.status}, {@code cli.run.request},
 * {@code cli.access}, {@code cli.handover}, {@code cli.frame}, {@code cli.process}, {@code
 * cli.error}, {@code server.settings}.
 */
@NullMarked
package org.kblake.cli.run;

import org.jspecify.annotations.NullMarked;
