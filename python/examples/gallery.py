"""Cases of the gallery, written in Python: the same numbers, bit for bit (python/tests/test_gallery.py).

    from gallery import satellite
    result = satellite().run()
"""
from math import cos, pi, radians, sin, sqrt

import numpy as np

import withy
from withy import arc, box, circle, clamped, curve, cylinder, free, helix, hinge, pinned, sphere, straight, tendon, weld  # noqa: F401


def falling_rod():
    radius = 100  # of the initial bend
    return withy.Scene(
        title="falling rod",
        rod=dict(length=10, stiffness=dict(bend=1), inertia=dict(mass=1), damping=dict(bend=0.1)),
        gravity=[0, 0, -1 / 5],
        initial=dict(shape=curve(lambda s: (radius * (cos(s / radius) - 1), 0, radius * sin(s / radius)))),
        ends=dict(start=clamped(position=[0, 0, 0], tangent=[0, 0, 1]), finish=free()),
        time=dict(stop=40, output=0.5), probes=dict(tip=dict(at=10, what="position")), method="elastica", options=dict(n=80, dt=0.0125))


def rubber(**more):
    L, D, E = 0.1, 0.01, 1e6
    return dict(length=L, section=circle(diameter=D), material=dict(young=E, shear=E / 3, density=1000), **more)


def heavy_cantilever():
    return withy.Scene(
        title="heavy cantilever", rod=rubber(), initial=dict(shape=straight(along=[1, 0, 0], normal=[0, 1, 0], **{"from": [0, 0, 0]})),
        ends=dict(start=clamped(), finish=free()), gravity=[0, -9.81, 0], time=dict(stop=0.5, output=0.0125),
        path={"from": 0, "to": 20, "steps": 20}, probes=dict(tip=dict(at=0.1, what="position")), method="director",
        options=dict(n=4, degree=3, dt=1e-3))


def release():
    return withy.Scene(
        title="release", rod=rubber(rest=straight()),
        initial=dict(shape=arc(along=[1, 0, 0], normal=[0, 1, 0], radius=0.1 / (pi / 4), **{"from": [0, 0, 0]})),
        ends=dict(start=clamped(), finish=free()), time=dict(stop=0.5, output=0.0125), probes=dict(tip=dict(at=0.1, what="position")),
        method="director", options=dict(n=6, degree=3, dt=1e-3))


def flexible_pendulum():
    return withy.Scene(
        title="flexible pendulum",
        rod=dict(length=1, section=circle(diameter=0.01), material=dict(young=5e6, poisson=0.5, density=1100)),
        gravity=[0, 0, -9.81], initial=dict(shape=straight(along=[1, 0, 0], normal=[0, 0, 1])), ends=dict(start=pinned(), finish=free()),
        time=dict(stop=1, output=0.05), probes=dict(tip=dict(at=1, what="position")), method="director",
        options=dict(n=16, dt=0.0025, order=4))


def half_turn():
    E, G, A, second, rho = 12, 4, 1, 0.2, 1

    def accel(t):  # down for one second, then up for one second
        return (0, 0, 0) if t > 2 + 1e-9 else (0, 1, 0) if t > 1 + 1e-9 else (0, -1, 0)

    return withy.Scene(
        title="half turn, driven",
        rod=dict(length=2, stiffness=dict(stretch=E * A, shear=G * A, bend=E * second, twist=G * 2 * second),
                 inertia=dict(mass=rho * A, rotary=[rho * second, rho * second, rho * 2 * second])),
        initial=dict(shape=arc(radius=2 / pi, along=[1, 0, 0], normal=[0, 1, 0], **{"from": [0, 0, 0]})),
        ends=dict(start=clamped(), finish=clamped(acceleration=accel)), time=dict(stop=2, output=0.08),
        probes=dict(middle=dict(at=1, what="position")), method="cheb", options=dict(n=8, ends="B", dt=0.002, integrator="euler"))


def rotating_clamp():
    w = 4 / 3  # angular velocity of the clamp
    return withy.Scene(
        title="rotating clamp", rod=dict(length=3, stiffness=dict(bend=1), inertia=dict(mass=1), damping=dict(bend=1 / 20)),
        initial=dict(shape=straight(along=[0, 0, 1], **{"from": [0, 0, 0]})),
        ends=dict(start=clamped(position=[0, 0, 0], tangent=lambda t: (0, sin(w * t), cos(w * t))), finish=free()),
        time=dict(stop=10, output=1 / 6), probes=dict(tip=dict(at=3, what="position")), method="elastica", options=dict(n=180, dt=1 / 96))


def natural_curvature():
    r, angle, turns = 1, 0.25, 3
    return withy.Scene(
        title="natural curvature",
        rod=dict(length=2 * pi * turns * r / cos(angle), stiffness=dict(bend=1, twist=0.8), inertia=dict(mass=1),
                 rest=helix(radius=r, angle=angle, normal=[1, 0, 0], **{"from": [r, 0, 0]})),
        ends=dict(start=clamped(), finish=free()), time=dict(stop=5, output=1), method="kirchhoff", options=dict(n=96, dt=0.1))


def oscillating_end():
    return withy.Scene(
        title="oscillating end", rod=dict(length=pi, stiffness=dict(bend=1), inertia=dict(mass=1), damping=dict(bend=1 / 5)),
        initial=dict(shape=curve(lambda s: (sin(s), 0, cos(s)))),
        ends=dict(start=pinned(position=[0, 0, 1]), finish=pinned(position=lambda t: (0, 0, -1 + 2 / 5 * sin(2 * t)))),
        time=dict(stop=3, output=0.1), probes=dict(middle=dict(at=pi / 2, what="position")), method="elastica",
        options=dict(n=40, dt=0.02))


def satellite():
    spin = np.array([0, 0.05, 2.3])
    rods, joints = [], []

    def across(v, r):
        return [v[1] * r[2] - v[2] * r[1], v[2] * r[0] - v[0] * r[2], v[0] * r[1] - v[1] * r[0]]

    def boom(name, x, y):
        return dict(name=name, length=1, section=circle(diameter=0.02), material=dict(young=1e9, poisson=0.3, density=1000),
                    initial=dict(shape=straight(along=[x, y, 0], normal=[0, 0, 1], **{"from": [0.2 * x, 0.2 * y, 0]}),
                                 velocity=lambda s: across(spin, [(0.2 + s) * x, (0.2 + s) * y, 0]), spin=spin))

    for i, name in enumerate(["east", "north", "west", "south"]):
        x, y = cos(i * pi / 2), sin(i * pi / 2)
        rods.append(boom(name, x, y))
        joints.append(weld(parts=["hub", name], at=[[0.2 * x, 0.2 * y, 0], 0]))
    joints.append(weld(parts=["east", "tip"], at=[1, [0, 0, 0]]))
    hub = dict(name="hub", mass=5, inertia=[0.2, 0.2, 0.3], spin=spin, shape=cylinder(diameter=0.4, length=0.3))
    tip = dict(name="tip", mass=0.5, inertia=[1e-3, 1e-3, 1e-3], position=[1.2, 0, 0], spin=spin, velocity=across(spin, [1.2, 0, 0]),
               shape=sphere(diameter=0.1))
    return withy.Scene(
        title="satellite with four booms", rods=rods, bodies=[hub, tip], joints=joints, time=dict(stop=4, output=0.04),
        probes=dict(hub=dict(body="hub", what="spin"), tip=dict(body="tip")), method="director", options=dict(n=2, dt=0.01))


def tendon_robot():
    length, arm = 0.2, 8e-3

    def smooth(x):  # 0 .. 1 without a jump in speed
        x = max(0, min(1, x))
        return x * x * (3 - 2 * x)

    def tendon_at(degrees, most):  # reach within 0.5 s, hold, let go at once at t = 1.5 s
        a = radians(degrees)
        return tendon(route=[arm * cos(a), arm * sin(a)],
                      tension=lambda t: 0.2 + (most - 0.2) * smooth(t / 0.5) if t < 1.5 else 0.2)

    return withy.Scene(
        title="tendon robot",
        rod=dict(length=length, section=circle(diameter=1e-3), material=dict(young=60e9, shear=23e9, density=6450),
                 inertia=dict(mass=0.05, rotary=2e-6), damping=dict(time=0.005)),
        gravity=[0, 0, -9.81], initial=dict(shape=straight(along=[0, 0, 1], normal=[1, 0, 0])),
        ends=dict(start=clamped(), finish=free(mass=2e-3)), loads=[tendon_at(0, 4), tendon_at(120, 0.2), tendon_at(240, 1)],
        time=dict(stop=3, output=0.02), probes=dict(tip=dict(at=length, what="position")), method="se3", options=dict(n=40, dt=0.001))


def michell_ring():
    R, EI, GJ = 1, 1.345, 0.789
    critical = 2 * pi * sqrt(3) * EI / GJ
    return withy.Scene(
        title="Michell's ring", rod=dict(length=2 * pi * R, stiffness=dict(bend=EI, twist=GJ), inertia=dict(mass=1)),
        initial=dict(shape=arc(radius=R, along=[1, 0, 0], normal=[0, 1, 0])),
        ends=dict(start=clamped(), finish=clamped(position=[0, 0, 0], tangent=[1, 0, 0],
                                                  normal=lambda t: (0, cos(critical * t), sin(critical * t)))),
        path={"from": 0, "to": 1.2, "steps": 12}, method="director", options=dict(n=32))


SCENES = [falling_rod, heavy_cantilever, release, flexible_pendulum, half_turn, rotating_clamp, natural_curvature, oscillating_end,
          satellite, tendon_robot, michell_ring]
