/**
 * The service that follows an archive, as {@code kblake run} starts it: its plan and its thread.
 */
@NullMarked
package org.kblake.cli.run.follow;

import org.jspecify.annotations.NullMarked;
