/** Following through the Java API, against the naive reader. */
@NullMarked
package org.kblake.test.read.follow;

import org.jspecify.annotations.NullMarked;
