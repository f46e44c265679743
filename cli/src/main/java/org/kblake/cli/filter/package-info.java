/** The rows, times and columns of an answer that a command line selects. */
@NullMarked
package org.kblake.cli.filter;

import org.jspecify.annotations.NullMarked;
