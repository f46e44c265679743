/**
 * {@code kblake run}, its settings file, pins and counters.
 *
 * <p>May use {@code core.model}, {@code core.internal.columns}, {@code core.internal.log.file},
 * {@code core.internal.log.archive}, {@code core.internal.store}, {@code
 * core.internal.store.block}, {@code core.internal.store.file}, {@code ingest.internal.live},
 * {@code ingest.internal.live.state}, {@code format.argument}, {@code cli.command.shared}, {@code
 * cli.run}, {@code cli.run.follow}, {@code cli.run.settings}, {@code cli.serve}, {@code
 * cli.handover}, {@code cli.doctor}, {@code cli.frame}, {@code cli.settings}, {@code cli.process},
 * {@code cli.error}.
 */
@NullMarked
package org.kblake.cli.command.service;

import org.jspecify.annotations.NullMarked;
