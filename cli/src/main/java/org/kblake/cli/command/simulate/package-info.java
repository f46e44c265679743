/**
 * {@code kblake simulate} and {@code kblake demo}.
 *
 * <p>May use {@code core.model}, {@code core.archive}, {@code core.internal.log.archive}, {@code
 * core.internal.store}, {@code core.internal.parquet.file}, {@code simulate}, {@code
 * ingest.internal.backfill}, {@code query}, {@code query.question}, {@code query.answer}, {@code
 * query.arrow}, {@code server}, {@code cli.command.store}, {@code cli.command.shared}, {@code
 * cli.frame}, {@code cli.settings}, {@code cli.error}, {@code format.argument}, {@code
 * cli.process}, {@code cli.progress}, {@code cli.plot}.
 */
@NullMarked
package org.kblake.cli.command.simulate;

import org.jspecify.annotations.NullMarked;
