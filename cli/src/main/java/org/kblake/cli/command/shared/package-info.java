/**
 * Code of several commands: opening archive and store, write errors, the choice of groups.
 *
 * <p>May use {@code core.model}, {@code core.archive}, {@code core.internal.columns}, {@code
 * core.internal.names}, {@code core.layout}, {@code core.internal.log.pair}, {@code
 * core.internal.log.archive}, {@code core.internal.log.file}, {@code core.internal.log.scan},
 * {@code core.internal.mirror}, {@code core.internal.store}, {@code core.internal.store.file},
 * {@code core.internal.store.block}, {@code core.internal.parquet.page}, {@code query}, {@code
 * query.question}, {@code cli.run.settings}, {@code cli.frame}, {@code cli.process}, {@code
 * cli.settings}, {@code cli.error}, {@code format.argument}.
 */
@NullMarked
package org.kblake.cli.command.shared;

import org.jspecify.annotations.NullMarked;
