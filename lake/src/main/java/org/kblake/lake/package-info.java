/**
 * The commands below {@code kblake lake}.
 *
 * <p>May use {@code core.archive}, {@code core.model}, {@code core.internal.log.archive}, {@code
 * core.internal.log.file}, {@code core.internal.store}, {@code cli.command.shared}, {@code
 * cli.error}, {@code cli.extension}, {@code cli.frame}, {@code cli.process}, {@code cli.progress},
 * {@code cli.run.settings}, {@code cli.settings}, {@code format.argument}, {@code lake.check},
 * {@code lake.facts}, {@code lake.publish}, {@code lake.table}, {@code lake.view}.
 */
@NullMarked
package org.kblake.lake;

import org.jspecify.annotations.NullMarked;
