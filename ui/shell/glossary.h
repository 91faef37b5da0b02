/*
 * The meaning of the words on the screen, for users who have not read the
 * manual.
 */
#ifndef BENCHTOP_GLOSSARY_H
#define BENCHTOP_GLOSSARY_H

#include "text.h"

void glossary(struct text *);

#endif
