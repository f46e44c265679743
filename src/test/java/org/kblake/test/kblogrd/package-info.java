/** {@code kblogrd} against the samples and the naive reader. */
@NullMarked
package org.kblake.test.kblogrd;

import org.jspecify.annotations.NullMarked;
