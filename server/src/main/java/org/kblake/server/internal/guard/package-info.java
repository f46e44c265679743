/**
 * What stands before all doors: who may ask, how many requests work at once, request log, metrics.
 */
@NullMarked
package org.kblake.server.internal.guard;

import org.jspecify.annotations.NullMarked;
