/** {@code kblake status}, {@code kblake check} and {@code kblake doctor}. */
@NullMarked
package org.kblake.cli.command.status;

import org.jspecify.annotations.NullMarked;
