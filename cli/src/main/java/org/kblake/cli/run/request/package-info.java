/** Requests of other processes that {@code kblake run} carries out. */
@NullMarked
package org.kblake.cli.run.request;

import org.jspecify.annotations.NullMarked;
