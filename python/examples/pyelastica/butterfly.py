"""ButterflyCase: a straight rod, folded to a V and let go: does the energy stay?

There: 4 elements, "doesn't work with elements > 10".  A kink has infinite energy in the limit of a fine mesh, so that the answer there
depends on the mesh; here the fold is rounded over a tenth of the length, and the rod is a rod at every n.
"""
from math import pi, tanh

import numpy as np

import withy

L, r, E = 3, 0.25, 1e4


def fold(s):
    """Curvature of a turn by 90 degrees, spread over the middle: its integral is pi/2."""
    width = L / 20
    return 0, pi / 4 / width / np.cosh((s - L / 2) / width) ** 2 / tanh(L / 2 / width), 0


scene = withy.Scene(
    rod=dict(length=L, section=withy.circle(diameter=2 * r), material=dict(young=E, shear=E / 1.5, density=5000), rest=withy.straight()),
    initial=dict(shape=withy.curvature(strain=fold, along=[1, 0, 1], normal=[1, 0, -1])),
    time=dict(stop=40, output=0.5), method="director", options=dict(n=16, dt=0.05))

result = scene.run()
ledger = result.ledger
total = sum(ledger[name] for name in ("kinetic", "shear", "stretch", "bend", "twist"))
print(f"energy {total[0]:.6g} J, changes by at most {np.abs(total / total[0] - 1).max():.1e} of it in {result.t[-1]:g} s; "
      f"momentum at most {np.abs(ledger['momentum']).max():.1e} kg m/s")
assert np.abs(total / total[0] - 1).max() < 1e-9 and np.abs(ledger["momentum"]).max() < 1e-6
