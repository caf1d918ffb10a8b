"""HelicalBucklingCase: 27 turns and 3 % of slack: a rod coils up within an envelope.

There: 10 500 s of damped motion of 100 elements.  Here: one equilibrium of the case helical_buckling, which starts at the formula for
an infinitely long rod (van der Heijden and Thompson 2000), on the same rod: B = 1.345, C = 0.789, L = 100.
"""
import numpy as np

import withy

result = withy.load("helical_buckling").static()
position = result.rod["position"][-1]
radius = np.hypot(position[:, 0], position[:, 1]).max()
tension, moment = abs(result.ledger["reaction_finish"][-1, 2]), abs(result.ledger["reaction_moment_finish"][-1, 2])
print(f"radius of the widest coil {radius:.4f}, tension {tension:.6f}, moment {moment:.6f}; infinite rod: 1.5000, 0.390184, 1.325383")
assert abs(radius - 1.5002) < 1e-3 and abs(tension - 0.390207) < 1e-5 and abs(moment - 1.325381) < 1e-4
