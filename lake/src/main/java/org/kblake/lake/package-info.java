/**
 * The commands below {@code kblake lake}.
 *
 * <p>May use {@code core.model}, {@code core.internal.parquet.page}, {@code core.internal.store},
 * {@code cli.command.shared}, {@code cli.error}, {@code cli.extension}, {@code cli.frame}, {@code
 * cli.process}, {@code cli.progress}, {@code cli.settings}, {@code format.argument}, {@code
 * lake.check}, {@code lake.publish}, {@code lake.table}.
 */
@NullMarked
package org.kblake.lake;

import org.jspecify.annotations.NullMarked;
