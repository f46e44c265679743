/** Answers that another process reads: their messages, and the rows in them. */
@NullMarked
package org.kblake.query.internal.remote;

import org.jspecify.annotations.NullMarked;
