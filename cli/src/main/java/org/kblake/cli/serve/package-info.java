/**
 * The settings of {@code kblake serve}.
 *
 * <p>May use {@code core.internal.names}, {@code server.settings}, {@code format.argument}, {@code
 * cli.access}, {@code cli.run.settings}, {@code cli.error}, {@code cli.settings}.
 */
@NullMarked
package org.kblake.cli.serve;

import org.jspecify.annotations.NullMarked;
