/** Stores that change while they are read, and stores of the first format version. */
@NullMarked
package org.kblake.test.read.store;

import org.jspecify.annotations.NullMarked;
