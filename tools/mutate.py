#!/usr/bin/env python3
"""make mutants: is a broken method noticed?  45 faults are seeded one at a time, and `withy verify` must fail for each.

    tools/mutate.py [-b BUILD] [-j JOBS] [NUMBER|METHOD...]     run all faults, or those named
    tools/mutate.py --list                                      name them

Each fault is one line of a method: a sign, a factor, a missing term, at least one in every part (element, node, load, damping, ends,
ledger, step, integrator).  They were chosen before looking at which rows notice them.  A fault is compiled into a file of
its own with the command of the build, without optimisation, and linked in front of the library; the tree and the build stay as
they are.  The studies of the method run until a row fails; a run that crashes or does not end is noticed as well, and says so.
Exit status 1 if a fault goes unnoticed.
"""
import argparse, concurrent.futures, json, os, re, resource, shlex, subprocess, sys, tempfile, time

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
LIMIT = 900  # s of processor time: a run that does not end

# A fault in a header is compiled with the file that computes by it.
INCLUDED_BY = {"src/method/director/rod/strain.h": "src/method/director/rod/element.c",
               "src/method/fdtd/plain.h": "src/method/fdtd/kernel.c",
               "src/method/fdtd/formula.inc": "src/method/fdtd/kernel.c"}

# (method, part, file, text, fault, what)
FAULTS = [
    ("director", "element", "src/method/director/rod/strain.h",
     "half * (tri_dot(f->a_last, f->b_next) - tri_dot(f->a_next, f->b_last))",
     "half * (tri_dot(f->a_last, f->b_next) + tri_dot(f->a_next, f->b_last))", "a sign in the bending strain (2)"),
    ("director", "node", "src/method/director/rod/node.c",
     "wy_rows_add(b, 3, per, v3_sub(plus, minus));", "wy_rows_add(b, 3, 0.5 * per, v3_sub(plus, minus));",
     "half the rotary inertia in the balance"),
    ("director", "damping", "src/method/director/rod/strain.h",
     "return lane_all(step->per) * g->cv[i] +", "return lane_all(0.5 * step->per) * g->cv[i] +",
     "half the viscous stress"),
    ("director", "ledger", "src/method/director/rod/ledger.c",
     "lost += g->weight * lane_sum(c * ds * ds);", "lost += 0.5 * g->weight * lane_sum(c * ds * ds);",
     "half the viscous loss in the energy balance"),
    ("director", "ends", "src/method/director/rod/ledger.c",
     "v3_dot(end->reaction[0], next->dr) + v3_dot(end->reaction_moment[0], next->theta);",
     "v3_dot(end->reaction[0], next->dr);", "the work of the moment of a driven end is left out"),
    ("director", "integrator", "src/method/director/step/step.c",
     "node->v = v3_sub(v3_scale(2 * per, next->dr), node->v);", "node->v = v3_scale(per, next->dr);",
     "the mean velocity of the step instead of its last"),
    ("elastica", "damping", "src/method/elastica/step.c",
     "        eq->q0[j] = v3_scale(0.5 * e->eps_at[j] - e->nu_at[j] / two, a->k[j]);",
     "        eq->q0[j] = v3_scale(0.5 * e->eps_at[j] + e->nu_at[j] / two, a->k[j]);", "a sign in the damping of (99)"),
    ("elastica", "load", "src/method/elastica/step.c",
     "e->work.load[j] = v3_axpy(e->dead[j], e->mass[j], e->g);",
     "e->work.load[j] = v3_axpy(e->dead[j], 0.98 * e->mass[j], e->g);", "weight 2 % too small"),
    ("elastica", "element", "src/method/elastica/solve.c",
     "if (cell < n - 1 || e->spline.clamped[1]) force = v3_axpy(force, -6.0, e->work.p[cell + 1]);",
     "if (cell < n - 1) force = v3_axpy(force, -6.0, e->work.p[cell + 1]);",
     "the shear force of the last interval is missing at a clamp"),
    ("elastica", "ledger", "src/method/elastica/step.c",
     "out.dissipated = 0.5 * span * e->eta * loss;", "out.dissipated = span * e->eta * loss;",
     "twice the loss in the energy balance"),
    ("se3", "element", "src/method/se3/cell.c",
     "- m[i] * (c0 * eta[i] + he) + gyro[i] + load);", "- m[i] * (c0 * eta[i] + he) - gyro[i] + load);",
     "a sign in the gyroscopic term of (10)"),
    ("se3", "damping", "src/method/se3/cell.c",
     "lam[i] = at->k[i] * (xi[i] - at->rest[i]) + at->d[i] * xi_t[i];",
     "lam[i] = at->k[i] * (xi[i] - at->rest[i]);", "the viscous stress of (8) is missing"),
    ("se3", "load", "src/method/se3/cell.c",
     "for (int i = 0; i < 6; i++) lam[i] += tau * l[i];", "for (int i = 0; i < 6; i++) lam[i] += 1.02 * tau * l[i];",
     "tendons pull 2 % too strongly"),
    ("se3", "ledger", "src/method/se3/energy.c",
     "out[2] += x->plan.h * wy_se3_dot(rate, viscous);", "out[2] += 2 * x->plan.h * wy_se3_dot(rate, viscous);",
     "twice the viscous loss in the energy balance"),
    ("se3", "time step", "src/method/se3/step.c",
     ".c2 = (0.5 + a) * k,", ".c2 = (0.5 - a) * k,", "a sign in a coefficient of BDF-alpha"),
    ("kirchhoff", "element", "src/method/kirchhoff/force.c",
     "c.m[0] = v3_axpy(v3_axpy(chord, -4.0 / eta, fb->c3), -2.0 / eta, fc->c3);",
     "c.m[0] = v3_axpy(v3_axpy(chord, -4.0 / eta, fb->c3), 2.0 / eta, fc->c3);", "a sign in the second derivative"),
    ("kirchhoff", "twist", "src/method/kirchhoff/force.c",
     "out.twist = stress(eq, p->ct[cell], p->nu_twist[cell], next->tau, last->tau);",
     "out.twist = stress(eq, 0.98 * p->ct[cell], p->nu_twist[cell], next->tau, last->tau);",
     "torsional stiffness 2 % too small"),
    ("kirchhoff", "node", "src/method/kirchhoff/force.c",
     "add(&at[WY_KIRCHHOFF_RAW_X], eq->mass[j] * eq->inertia,",
     "add(&at[WY_KIRCHHOFF_RAW_X], 1.02 * eq->mass[j] * eq->inertia,", "inertia 2 % too large"),
    ("kirchhoff", "damping", "src/method/kirchhoff/step.c",
     "        sum += p->eta * p->nu_twist[i] * twist * twist;\n", "        (void)twist;\n",
     "the loss in torsion is left out of the energy balance"),
    ("kirchhoff", "ends", "src/method/kirchhoff/force.c",
     "const double sign = j == 0 ? 1.0 : -1.0;\n    add(", "const double sign = 1.0;\n    add(",
     "a sign in the multiplier of x'' = s kappa at the last node"),
    ("fdtd", "element", "src/method/fdtd/formula.inc",
     "const pack along = dot3(tm, s) * inverse;", "const pack along = -dot3(tm, s) * inverse;",
     "a sign in the torque of second order"),
    ("fdtd", "node", "src/method/fdtd/plain.h",
     "{v.w - square * q.w, v.x - square * q.x,", "{v.w + square * q.w, v.x - square * q.x,",
     "a sign in Cayley's map of a frame"),
    ("fdtd", "load", "src/method/fdtd/group.c",
     "const vec3 fall = v3_scale(h, g->problem->gravity);",
     "const vec3 fall = v3_scale(0.98 * h, g->problem->gravity);", "weight 2 % too small"),
    ("fdtd", "damping", "src/method/fdtd/kernel.c",
     "n = add3(n, mul3(load3(g->rate.cn, k), sub3(e, load3(g->now.eo, k))));",
     "n = sub3(n, mul3(load3(g->rate.cn, k), sub3(e, load3(g->now.eo, k))));", "a sign in the viscous force"),
    ("fdtd", "step", "src/method/fdtd/limit.c",
     "return dt * (dt + 2.0 * eta) * most <= 4.0;", "return dt * (dt + 2.0 * eta) * most <= 4.84;",
     "the largest step 10 % too large"),
    ("cheb", "planar", "src/method/cheb/planar.c",
     "f.y[j] = s[l] * n1 + c[l] * n2;", "f.y[j] = s[l] * n1 - c[l] * n2;", "a sign in the force across"),
    ("cheb", "spatial", "src/method/cheb/spatial.c",
     "v3_sub(v3_scale(2.0, wy_cheb_g(q, quat_at(p1, ld, i))), nodal(x->along.k0, i));",
     "v3_sub(v3_scale(1.98, wy_cheb_g(q, quat_at(p1, ld, i))), nodal(x->along.k0, i));", "curvature 1 % too small"),
    ("cheb", "load", "src/method/cheb/load.c",
     "const vec3 weight = v3_scale(x->along.rho[i], x->problem->gravity);",
     "const vec3 weight = v3_scale(0.98 * x->along.rho[i], x->problem->gravity);", "weight 2 % too small"),
    ("cheb", "damping", "src/method/cheb/planar.c",
     "f.th[i] += x->along.h2[0][i] * v1.th[i];", "f.th[i] -= x->along.h2[0][i] * v1.th[i];",
     "a sign in the viscous moment"),
    ("cheb", "integrator", "src/numeric/time/second_explicit.c",
     "v[i] += h / 6 * (a[i] + 2 * (l2[i] + l3[i]) + l4[i]);", "v[i] += h / 6 * (a[i] + 3 * l2[i] + l3[i] + l4[i]);",
     "weights of rk4"),
    ("network", "hinge", "src/method/director/network/hinge.c",
     "out->row[i] = (o.cm * o.bs[i] - o.sm * o.bc[i]) / o.n; /* (2) */",
     "out->row[i] = (o.cm * o.bs[i] + o.sm * o.bc[i]) / o.n; /* (2) */", "a sign in the row of a hinge's angle"),
    ("network", "link", "src/method/director/network/constraint.c",
     "add_lock(m, g, 0.5 * length * length);", "add_lock(m, g, 0.49 * length * length);", "a link 1 % too short"),
    ("network", "weld", "src/method/director/network/weld.c",
     "net->joint[i].torque[0] = v3_scale(weld->side_sign, v3_sub(l, v3_cross(arm, f)));",
     "net->joint[i].torque[0] = v3_scale(weld->side_sign, v3_add(l, v3_cross(arm, f)));",
     "a sign in the arm of a weld's torque"),
    ("network", "body", "src/method/director/network/network_ledger.c",
     "work += v3_dot(x.f, v3_add(next->dr, v3_cross(next->theta, x.p)));",
     "work += v3_dot(x.f, next->dr);", "the work of a load off the centre of a body"),
    ("network", "ledger", "src/method/director/network/network_ledger.c",
     "net->now->dissipated += constraint->law.damping * dq * dq / net->rigid.step->h;",
     "net->now->dissipated += 0.5 * constraint->law.damping * dq * dq / net->rigid.step->h;",
     "half the loss of a damper in the energy balance"),
    ("gradient", "node", "src/method/director/gradient/gradient_node.c",
     "take3(side + 3, scale3(mass->inertia[k], splat3(i->j[k])));",
     "take3(side + 3, scale3(0.98 * mass->inertia[k], splat3(i->j[k])));",
     "the derivative by rotary inertia 2 % too small"),
    ("gradient", "step", "src/method/director/gradient/gradient_node.c",
     "i.spin = times_of(-per, sum_of(out, 1, in));", "i.spin = times_of(-per, sum_of(out, 0.98, in));",
     "what the step does to a derivative of the spin"),
    ("gradient", "backwards", "src/method/director/gradient/gradient_node.c",
     "*to -= by.by[n][i] * mu[i];", "*to += by.by[n][i] * mu[i];", "a sign in the adjoint of what acts on a node"),
    ("contact", "law", "src/contact/law_compliant.c",
     "return plus < 0 ? 0.5 * law->stiffness * (plus + minus) : 0;", "return plus < 0 ? law->stiffness * plus : 0;",
     "the force at the end of the step instead of the discrete gradient"),
    ("contact", "damping", "src/contact/law.c",
     "const double factor = 1.0 - loss * (plus - minus);", "const double factor = 1.0 + loss * (plus - minus);",
     "a sign in the damping of a contact"),
    ("contact", "pair", "src/contact/pair.c",
     "return clamp(2 * c / (-b + sqrt(wy_max(0, b * b - 4 * a * c))));", "return 0.5;",
     "the middle instead of the intermediate contact point"),
    ("contact", "friction", "src/contact/friction.c",
     "out->f = slides ? v3_scale(-most, way) : v3_scale(-k, out->z);",
     "out->f = slides ? v3_scale(-0.98 * most, way) : v3_scale(-k, out->z);", "friction between rods 2 % too small"),
    ("contact", "friction", "src/contact/friction.c",
     "give(push, &x, i, i < 2 ? -pair->share : 1 - pair->share, out);",
     "give(push, &x, i, i < 2 ? pair->share : 1 - pair->share, out);", "a sign in the moment of friction on one rod"),
    ("contact", "ledger", "src/contact/friction.c",
     "out->lost = work - out->kept;", "out->lost = work;", "what the stick spring keeps is booked as lost"),
    ("contact", "wall", "src/method/director/contact/contact_step.c",
     "now->work += dynamic ? v3_dot(x->force, x->shift) : 0;",
     "now->work += 0;", "the work of a moving obstacle"),
]


def kind_of_processor():
    """The variant of the kernels that runs here (cmake/kernels.cmake)."""
    flags = set()
    for line in open("/proc/cpuinfo"):
        if line.startswith("flags"):
            flags = set(line.split(":")[1].split())
            break
    if not {"avx2", "fma", "bmi1", "bmi2"} <= flags:
        return "base"
    return "v4" if {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"} <= flags else "v3"


class Build:
    """The commands of a build: how a file is compiled, how withy is linked."""

    def __init__(self, folder):
        self.folder = os.path.abspath(folder)
        self.compile = {}
        for entry in json.load(open(os.path.join(self.folder, "compile_commands.json"))):
            self.compile.setdefault(os.path.realpath(entry["file"]), []).append(entry["command"])
        self.link = open(os.path.join(self.folder, "CMakeFiles/withy.dir/link.txt")).read().strip()

    def commands(self, source):
        found = self.compile[os.path.realpath(source)]
        own = [c for c in found if "withy_kernel_%s.dir" % kind_of_processor() in c]
        return (own or [c for c in found if "withy_common.dir" in c] or found)[:1]

    def make(self, source, text, folder):
        """Compile `text` in the place of `source`, link withy with it; returns the program."""
        within = os.path.relpath(source, ROOT)
        changed = os.path.join(folder, os.path.basename(source))
        if within in INCLUDED_BY:
            changed = os.path.join(folder, os.path.relpath(source, os.path.join(ROOT, "src")))
            os.makedirs(os.path.dirname(changed))
        open(changed, "w").write(text)
        if within in INCLUDED_BY:
            source = changed = os.path.join(ROOT, INCLUDED_BY[within])
        objects = []
        for number, command in enumerate(self.commands(source)):
            words = shlex.split(command)
            out = os.path.join(folder, "%d.o" % number)
            words[words.index("-o") + 1] = out
            words[words.index("-c") + 1] = changed
            first = next(i for i, w in enumerate(words) if w.startswith("-"))
            words[first:first] = ["-I", folder]  # before the tree
            words += ["-iquote", os.path.dirname(source), "-O1", "-w"]
            subprocess.run(words, cwd=self.folder, check=True)
            objects.append(out)
        words = shlex.split(self.link)
        program = os.path.join(folder, "withy")
        words[words.index("-o") + 1] = program
        first = next(i for i, w in enumerate(words) if w.endswith(".o"))
        subprocess.run(words[:first] + objects + words[first:], cwd=self.folder, check=True)
        return program


def notice(program, names, stop_at):
    """The first row that fails: (text, seconds); None: all pass."""
    start = time.time()
    limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (int(stop_at), int(stop_at)))
    run = subprocess.Popen([program, "verify", *names], preexec_fn=limit, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                           errors="replace")
    found, study = None, ""
    try:
        for line in run.stdout:
            if re.match(r"\w.*: ", line):
                study = line.split(":")[0]
            if line.startswith("  FAIL"):
                found = "%s: %s" % (study, re.sub(r"\s{2,}.*", "", line[18:].strip()))
                break
    finally:
        if found:
            run.kill()
    status = run.wait()
    if not found and status != 0:
        found = "%s: ends with status %d" % (study, status)
    return found, time.time() - start


def try_fault(build, number, limit, only):
    method, part, path, old, new, what = FAULTS[number]
    source = os.path.join(ROOT, path)
    text = open(source).read()
    if text.count(old) != 1:
        return number, "?", "its text is in %s %d times: mend tools/mutate.py" % (path, text.count(old)), 0
    with tempfile.TemporaryDirectory(prefix="withy_mutant_") as folder:
        try:
            program = build.make(source, text.replace(old, new), folder)
        except subprocess.CalledProcessError:
            return number, "?", "does not compile", 0
        found, seconds = notice(program, only or [method], limit)
    return number, "caught" if found else "MISSED", found or "every row of %s passes" % " ".join(only or [method]), seconds


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("-b", "--build", default=os.path.join(ROOT, "build"))
    words.add_argument("-j", "--jobs", type=int, default=2)
    words.add_argument("--limit", type=float, default=LIMIT, help="seconds after which a run does not end")
    words.add_argument("--only", action="append", help="run this study only (repeatable)")
    words.add_argument("--list", action="store_true")
    words.add_argument("--check", action="store_true", help="only: does every fault still have its place?")
    words.add_argument("name", nargs="*")
    given = words.parse_args()
    wanted = [i for i, f in enumerate(FAULTS)
              if not given.name or f[0] in given.name or str(i + 1) in given.name]
    if given.list:
        for i in wanted:
            print("%2d %-9s %-10s %s (%s)" % (i + 1, FAULTS[i][0], FAULTS[i][1], FAULTS[i][5], FAULTS[i][2]))
        return 0
    if given.check:
        lost = [i for i in wanted if open(os.path.join(ROOT, FAULTS[i][2])).read().count(FAULTS[i][3]) != 1]
        for i in lost:
            print("fault %d: its text is no longer once in %s: mend tools/mutate.py" % (i + 1, FAULTS[i][2]))
        return 1 if lost else 0
    build, missed = Build(given.build), 0
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        for number, result, how, seconds in pool.map(lambda i: try_fault(build, i, given.limit, given.only), wanted):
            f = FAULTS[number]
            missed += result != "caught"
            print("%2d %-9s %-10s %s: %s: %s (%.0f s)" % (number + 1, f[0], f[1], f[5], result, how, seconds), flush=True)
    print("%d of %d faults caught" % (len(wanted) - missed, len(wanted)))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
