/** {@code kblake simulate} and {@code kblake demo}. */
@NullMarked
package org.kblake.cli.command.simulate;

import org.jspecify.annotations.NullMarked;
