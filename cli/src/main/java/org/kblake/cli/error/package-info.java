/**
 * Errors as one line on standard error and an exit status.
 *
 * <p>May use {@code core.internal.store.file}.
 */
@NullMarked
package org.kblake.cli.error;

import org.jspecify.annotations.NullMarked;
