/** {@code /api/v1/status} and {@code /api/v1/coverage}: the state of groups, now and over time. */
@NullMarked
package org.kblake.server.internal.status;

import org.jspecify.annotations.NullMarked;
