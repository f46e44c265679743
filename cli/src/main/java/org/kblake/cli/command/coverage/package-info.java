/** {@code kblake coverage}: the state of each group's log over time, as strips. */
@NullMarked
package org.kblake.cli.command.coverage;

import org.jspecify.annotations.NullMarked;
