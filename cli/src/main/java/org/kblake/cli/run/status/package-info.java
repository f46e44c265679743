/**
 * The published state of {@code kblake run}: status file, metrics, health.
 *
 * <p>May use {@code core.model}, {@code core.internal.log.file}, {@code
 * core.internal.store.access}, {@code core.internal.store.block}, {@code ingest.internal.pace},
 * {@code ingest.internal.live.state}, {@code cli.run.settings}, {@code cli.check}, {@code
 * cli.process}, {@code server.settings}.
 */
@NullMarked
package org.kblake.cli.run.status;

import org.jspecify.annotations.NullMarked;
