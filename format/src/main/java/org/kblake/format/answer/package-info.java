/** Chooses the writer of an answer by its format. */
@NullMarked
package org.kblake.format.answer;

import org.jspecify.annotations.NullMarked;
