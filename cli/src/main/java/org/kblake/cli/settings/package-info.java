/**
 * Settings of all commands, and where each value comes from.
 *
 * <p>May use {@code core.archive}, {@code core.internal.names}, {@code core.internal.log.archive},
 * {@code cli.process}, {@code cli.error}, {@code format.argument}.
 */
@NullMarked
package org.kblake.cli.settings;

import org.jspecify.annotations.NullMarked;
