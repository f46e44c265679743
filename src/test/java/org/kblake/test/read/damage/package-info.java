/** Answers from damaged blocks, and from volumes that fail or hang. */
@NullMarked
package org.kblake.test.read.damage;

import org.jspecify.annotations.NullMarked;
