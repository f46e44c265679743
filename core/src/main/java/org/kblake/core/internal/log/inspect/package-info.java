/** Shows the files of a pair field by field beside their bytes, for {@code kblake inspect}. */
@NullMarked
package org.kblake.core.internal.log.inspect;

import org.jspecify.annotations.NullMarked;
