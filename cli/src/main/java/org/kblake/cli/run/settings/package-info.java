/** The settings and the log of {@code kblake run}. */
@NullMarked
package org.kblake.cli.run.settings;

import org.jspecify.annotations.NullMarked;
