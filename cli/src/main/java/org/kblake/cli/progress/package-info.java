/** How far a long command is: a bar on a terminal, plain lines elsewhere, nothing if not wanted. */
@NullMarked
package org.kblake.cli.progress;

import org.jspecify.annotations.NullMarked;
