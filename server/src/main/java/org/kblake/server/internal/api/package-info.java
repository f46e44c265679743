/** The server's own API below {@code /api/v1}, as docs/http-api.md describes it. */
@NullMarked
package org.kblake.server.internal.api;

import org.jspecify.annotations.NullMarked;
