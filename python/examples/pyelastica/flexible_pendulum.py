"""FlexibleSwingingPendulumCase: a rubber rod, pinned at one end, falls from the horizontal and whips through.

There a hinge is a class of one's own; here it is an end that is pinned.
"""
import numpy as np

import withy

scene = withy.Scene(
    rod=dict(length=1, section=withy.circle(diameter=0.01), material=dict(young=5e6, shear=5e6 / 1.5, density=1100)),
    gravity=[-9.80665, 0, 0], initial=dict(shape=withy.straight(along=[0, 0, 1], normal=[1, 0, 0])),
    ends=dict(start=withy.pinned(), finish=withy.free()), time=dict(stop=1, output=0.05),
    method="director", options=dict(n=16, dt=0.0025, order=4))

result = scene.run()
ledger = result.ledger
total = sum(ledger[name] for name in ("kinetic", "shear", "stretch", "bend", "twist", "gravity"))
print(f"tip at t = 1 s: {result.rod['position'][-1, -1]} m; energy changes by {np.ptp(total) / ledger['kinetic'].max():.1e} of the kinetic")
assert np.ptp(total) < 1e-6 * ledger["kinetic"].max()
