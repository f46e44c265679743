/**
 * The long-running process around {@link org.kblake.ingest.live.Live}: its settings, what it says
 * of itself in logs, numbers and a file, and how it is asked for something.
 */
@NullMarked
package org.kblake.cli.run;

import org.jspecify.annotations.NullMarked;
