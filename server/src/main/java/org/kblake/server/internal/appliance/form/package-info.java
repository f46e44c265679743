/** The forms of an answer: raw (protocol buffers), json, qw, csv, txt, svg. */
@NullMarked
package org.kblake.server.internal.appliance.form;

import org.jspecify.annotations.NullMarked;
