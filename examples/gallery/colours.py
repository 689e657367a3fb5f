#!/usr/bin/env python3
"""Colour histograms of 14 categories of made-up pictures, as LIBSVM text: colours.py TRAIN TEST

A category is a palette of six colours. A picture takes its own light, its own shares of the palette, and 1,000 pixels around these
colours; a part of it, from a little to nearly all, is background that every category may have. Each channel has 16 levels, so a picture is a
histogram of 4,096 bins, of which few are not empty.
"""
import sys

import numpy as np

CATEGORIES, COLOURS, PIXELS, LEVELS = 14, 6, 1000, 16
random = np.random.default_rng(1)
palettes = random.uniform(20, 235, (CATEGORIES, COLOURS, 3))
common = random.uniform(20, 235, (4 * COLOURS, 3))  # what all categories share


def histogram(category):
    own = random.beta(0.85, 0.7)
    shares = np.concatenate([own * random.dirichlet(np.full(COLOURS, 2)), (1 - own) * random.dirichlet(np.full(len(common), 0.3))])
    chosen = random.choice(len(shares), PIXELS, p=shares)
    colours = np.concatenate([palettes[category], common])[chosen] * random.uniform(0.95, 1.05) + random.normal(0, 5, (PIXELS, 3))
    r, g, b = (np.clip(colours, 0, 255) * LEVELS // 256).astype(int).T
    return np.bincount((r * LEVELS + g) * LEVELS + b, minlength=LEVELS**3) / PIXELS


def write(path, each):
    with open(path, "w") as file:
        for category in np.repeat(np.arange(CATEGORIES), each):
            bins = histogram(category)
            file.write(f"{category + 1} {' '.join(f'{b + 1}:{bins[b]:.6g}' for b in np.flatnonzero(bins))}\n")


write(sys.argv[1], 20)
write(sys.argv[2], 20)
