/** {@code kblake plot}: channels as a picture. */
@NullMarked
package org.kblake.cli.command.plot;

import org.jspecify.annotations.NullMarked;
