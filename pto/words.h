/* SPDX-License-Identifier: MIT */
/*
 * Misspelt words of `.pto` text. The reader takes types, attributes and words that it does not know, for the
 * dialect grows; one that is a single letter away from a known one is a typo, and would be without effect or
 * mean something else.
 */
#ifndef PTO_WORDS_H
#define PTO_WORDS_H

#include "pto/tree.h"

/* False with d filled by the first word of f that is one letter less, more or other than a known one, or has
 * two of them in the wrong order (pto-facts 1.4 to 1.6). */
bool pto_words_known(const struct pto_file *f, struct diag *d);

/* The same of what the operations of the file itself are called: they hold its functions. */
bool pto_top_known(const struct pto_file *f, struct diag *d);

#endif
