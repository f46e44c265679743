/** The trend server: an archive over HTTP. {@code TrendServer} is the entry. */
@NullMarked
package org.kblake.server;

import org.jspecify.annotations.NullMarked;
