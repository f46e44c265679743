/** The settings of {@code kblake serve}. */
@NullMarked
package org.kblake.cli.serve;

import org.jspecify.annotations.NullMarked;
