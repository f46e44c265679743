/** The progress of a long command: a bar on a terminal, plain lines elsewhere. */
@NullMarked
package org.kblake.cli.progress;

import org.jspecify.annotations.NullMarked;
