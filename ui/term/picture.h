/*
 * Converts a grid to SVG that looks the same with every font.
 *
 * Letters are text. Lines, blocks, shades, braille dots and triangles are
 * shapes: they join without gaps, and no font needs to contain them. Colours
 * are those of the grid's theme, on its background. The output is
 * deterministic: equal grids yield equal bytes.
 */
#ifndef BENCHTOP_PICTURE_H
#define BENCHTOP_PICTURE_H

#include "grid.h"

void picture_svg(const struct grid *, struct text *);

#endif
