/**
 * Instants as text.
 *
 * <p>May use {@code core.internal.time}, {@code cli.format.number}.
 */
@NullMarked
package org.kblake.cli.format.time;

import org.jspecify.annotations.NullMarked;
