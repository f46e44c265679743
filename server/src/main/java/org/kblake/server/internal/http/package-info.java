/** HTTP for all doors: listening, TLS, errors as status and text. */
@NullMarked
package org.kblake.server.internal.http;

import org.jspecify.annotations.NullMarked;
