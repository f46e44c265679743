/** The program {@code kblake}. Its commands are registered here. */
@NullMarked
package org.kblake.cli;

import org.jspecify.annotations.NullMarked;
