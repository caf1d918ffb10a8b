"""AxialStretchingCase: a soft rod is pulled along its axis; how long is it at rest?

There: 200 s of damped motion until the rod has come to rest.  Here: the equilibrium.  withy's material is linear in the stretch, so that
the answer is L (1 + F/EA); PyElastica's section shrinks as it stretches (L + FL/(EA - F)).
"""
from math import pi

import withy

scene = withy.Scene(
    rod=dict(length=1, section=withy.circle(diameter=0.05), material=dict(young=1e4, shear=1e4 / 1.5, density=1000)),
    initial=dict(shape=withy.straight(along=[1, 0, 0], normal=[0, 1, 0])),
    ends=dict(start=withy.clamped(), finish=withy.free(force=[1, 0, 0])),
    method="director", options=dict(n=4))

result = scene.static()
tip = result.rod["position"][-1, -1, 0]
expected = 1 + 1 / (1e4 * pi * 0.025 ** 2)
print(f"length at rest {tip:.9f} m, L (1 + F/EA) = {expected:.9f} m")
assert abs(tip - expected) < 1e-10
