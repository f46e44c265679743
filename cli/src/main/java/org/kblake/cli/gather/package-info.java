/** The settings of both ends of a transfer. */
@NullMarked
package org.kblake.cli.gather;

import org.jspecify.annotations.NullMarked;
