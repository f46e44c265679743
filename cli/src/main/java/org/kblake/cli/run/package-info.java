/** The process of {@code kblake run} around the service that follows an archive. */
@NullMarked
package org.kblake.cli.run;

import org.jspecify.annotations.NullMarked;
