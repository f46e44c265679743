/**
 * The examination of the surroundings of kblake: settings, archive, store and machine. Nothing is
 * written except a file in the store's directory, which is removed.
 *
 * <p>May use {@code core.model}, {@code core.layout}, {@code core.archive}, {@code
 * core.internal.names}, {@code core.internal.metadata}, {@code core.internal.log.file}, {@code
 * core.internal.log.pair}, {@code core.internal.log.archive}, {@code core.internal.mirror}, {@code
 * core.internal.store}, {@code core.internal.store.block}, {@code core.internal.store.file}, {@code
 * ingest.internal.live}, {@code cli.command.shared}, {@code cli.run.settings}, {@code cli.serve},
 * {@code cli.access}, {@code server.settings}, {@code cli.check}, {@code cli.settings}, {@code
 * cli.error}, {@code format.argument}.
 */
@NullMarked
package org.kblake.cli.doctor;

import org.jspecify.annotations.NullMarked;
