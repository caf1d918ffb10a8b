"""ContinuumSnakeCase: muscles send a wave of couples along a rod that lies on the ground and grips it better backwards and sideways.

    python3 snake.py [seconds] [elements]

There the couple M of the muscles acts on pairs of elements; here it is what that is in the limit: the moment -dM/ds per length, and M at
the two ends.
"""
import sys
from math import pi, sin

import numpy as np

import withy

STOP = float(sys.argv[1]) if len(sys.argv) > 1 else 8.0
ELEMENTS = int(sys.argv[2]) if len(sys.argv) > 2 else 25
L, PERIOD, E, RHO, G = 0.35, 2.0, 1e6, 1000, 9.80665
r = 0.011 * L
mu = L / (PERIOD ** 2 * G * 0.1)  # Froude number 0.1
KNOTS = np.array([0, 0, 0, 0, 1 / 3, 2 / 3, 1, 1, 1, 1])
COUPLES = np.array([3.4, 3.3, 4.2, 2.6, 3.6, 3.5]) * 1e-3  # [N m]


def spline(coefficients, knots, degree, x):
    """de Boor: the value of a B-spline at 0 <= x <= 1."""
    k = min(int(np.searchsorted(knots, x, side="right")) - 1, len(knots) - degree - 2)
    d = [coefficients[j + k - degree] for j in range(degree + 1)]
    for i in range(1, degree + 1):
        for j in range(degree, i - 1, -1):
            low, high = knots[j + k - degree], knots[j + 1 + k - i]
            share = (x - low) / (high - low)
            d[j] = (1 - share) * d[j - 1] + share * d[j]
    return d[degree]


GRID = np.linspace(0, L, 1001)
AMPLITUDE = np.array([spline(COUPLES, KNOTS, 3, 1 - s / L) for s in GRID])
SLOPE = np.gradient(AMPLITUDE, GRID)


def couple(s, t):
    """M(s, t) [N m] and its slope: a wave towards the tail, from the other end of the rod."""
    phase, ramp, at = 2 * pi * (t / PERIOD - (1 - s / L)), min(1.0, t / PERIOD), s / L * 1000
    i = min(999, int(at))
    a, b = (table[i] + (at - i) * (table[i + 1] - table[i]) for table in (AMPLITUDE, SLOPE))
    return ramp * a * sin(phase), ramp * (b * sin(phase) + a * 2 * pi / L * sin(phase + pi / 2))


area = pi * r ** 2
scene = withy.Scene(
    rod=dict(length=L, section=withy.circle(diameter=2 * r, shear_factor=27 / 28), material=dict(young=E, shear=E / 1.5, density=RHO),
             drag=dict(linear=2e-3 * RHO * area, spin=2e-3 * RHO * area)),
    initial=dict(shape=withy.straight(along=[0, 0, 1])), gravity=[0, -G, 0],
    obstacles=[withy.plane(name="ground", point=[0, -r, 0], normal=[0, 1, 0], stiffness=1e4, damping=10,
                           friction=dict(forward=mu, back=1.5 * mu, lateral=2 * mu))],
    loads=[withy.distributed(moment=lambda s, t: (0, -couple(s, t)[1], 0))],
    ends=dict(start=withy.free(moment=lambda t: (0, -couple(0, t)[0], 0)), finish=withy.free(moment=lambda t: (0, couple(L, t)[0], 0))),
    time=dict(stop=STOP, output=min(STOP, 0.1)), method="director", options=dict(n=ELEMENTS, degree=1, dt=2e-3, xi=0.5))

result = scene.run()
centre = result.rod["position"].mean(axis=1)
print(f"the centre is at z = {centre[-1, 2] - centre[0, 2]:.4f} m, x = {centre[-1, 0]:.4f} m after {STOP:g} s")
bend = np.linalg.norm(result.rod["bend"], axis=-1).max() * L
if STOP > 2 * PERIOD:
    from_, to = np.searchsorted(result.t, [result.t[-1] - PERIOD - 1e-9, result.t[-1]])
    print(f"forward {(centre[to, 2] - centre[from_, 2]) / PERIOD:.4f} m/s in the last period, largest |curvature| L {bend:.2f}")
