/** Names that are close to a name that was not found. */
@NullMarked
package org.kblake.core.internal.names;

import org.jspecify.annotations.NullMarked;
