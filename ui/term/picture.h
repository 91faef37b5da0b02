/*
 * A grid as a picture: SVG that looks the same with every font.
 *
 * Letters are text; lines, blocks, shades, braille dots and triangles are
 * drawn as shapes, so they meet where they must and no font needs to have
 * them. Colours are those of the grid's theme, on the background it is for.
 * Deterministic: the same grid, the same bytes.
 */
#ifndef BENCHTOP_PICTURE_H
#define BENCHTOP_PICTURE_H

#include "grid.h"

void picture_svg(const struct grid *, struct text *);

#endif
