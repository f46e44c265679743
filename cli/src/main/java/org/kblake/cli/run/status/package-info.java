/** The published state of {@code kblake run}: status file, metrics, health. */
@NullMarked
package org.kblake.cli.run.status;

import org.jspecify.annotations.NullMarked;
