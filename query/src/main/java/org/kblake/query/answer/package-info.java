/** Descriptions of an answer: coverage, plan, channels, held values. */
@NullMarked
package org.kblake.query.answer;

import org.jspecify.annotations.NullMarked;
