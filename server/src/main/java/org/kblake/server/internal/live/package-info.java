/** {@code /api/v1/live}: history and new events as server-sent events. */
@NullMarked
package org.kblake.server.internal.live;

import org.jspecify.annotations.NullMarked;
