/** Following: history from a time on, then new events as pairs grow. */
@NullMarked
package org.kblake.query.internal.follow;

import org.jspecify.annotations.NullMarked;
