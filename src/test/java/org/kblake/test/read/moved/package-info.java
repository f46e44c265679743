/** Channels that left their habit, on archives whose causes are known. */
@NullMarked
package org.kblake.test.read.moved;

import org.jspecify.annotations.NullMarked;
