/** Errors as one line on standard error and an exit status. */
@NullMarked
package org.kblake.cli.error;

import org.jspecify.annotations.NullMarked;
