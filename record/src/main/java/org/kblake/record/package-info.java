/** The extension of {@code kblake} that records live channels. */
@NullMarked
package org.kblake.record;

import org.jspecify.annotations.NullMarked;
