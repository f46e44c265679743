/** The archive that all doors share, its channels by name, and the memory of requests. */
@NullMarked
package org.kblake.server.internal.data;

import org.jspecify.annotations.NullMarked;
