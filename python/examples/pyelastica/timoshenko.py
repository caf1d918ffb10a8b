"""TimoshenkoBeamCase: a short thick beam under an end load bends and shears; a second one hardly shears.

There: 500 s of damped motion of 2 x 100 elements.  Here: two equilibria, 8 elements each.
"""
from math import pi

import withy

L, r, E, F = 3, 0.25, 1e6, 15


def beam(shear):
    return withy.Scene(
        rod=dict(length=L, section=withy.circle(diameter=2 * r, shear_factor=27 / 28), material=dict(young=E, shear=shear, density=5000)),
        initial=dict(shape=withy.straight(along=[0, 0, 1], normal=[0, 1, 0])),
        ends=dict(start=withy.clamped(), finish=withy.free(force=[-F, 0, 0])), method="director", options=dict(n=8))


for shear in (E / 100, E / 0.3):
    tip = beam(shear).static().rod["position"][-1, -1, 0]
    area, second = pi * r ** 2, pi * r ** 4 / 4
    linear = -F * L ** 3 / (3 * E * second) - F * L / (27 / 28 * shear * area)
    print(f"G = {shear:.3g} Pa: tip at x = {tip:.6f} m, linear theory {linear:.6f} m")
    assert abs(tip / linear - 1) < 5e-4  # the rest is geometry: the linear formula is for small loads
