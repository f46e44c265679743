/** {@code kblake serve}: the options of a server and its end. */
@NullMarked
package org.kblake.cli.command.serve;

import org.jspecify.annotations.NullMarked;
