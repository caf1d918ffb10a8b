# Figures 3.3 to 3.5 of [FD]: |xi|, Re xi and Im xi against p.  Points: from three consecutive times of the
# runs, z+ + z- = 2 c z, xi = c +- sqrt(c^2 - 1); lines: (3.21) of the source, whose stencil its scheme does not have.
set terminal pngcairo size 1000,633 font "DejaVu Sans,10"
set output out
probes = data[1:strlen(data) - 4] . ".probes.csv"
gain = "< awk -F, 'NR > 1 { n[$2]++; z[$2, n[$2]] = $8 - $5; p[$2] = 3e-6 / $5 } END { for (q in n) { m = n[q]; " . \
       "c = (z[q, m] + z[q, m - 2]) / (2 * z[q, m - 1]); print p[q], c } }' '" . probes . "' | sort -g"
size(c)  = abs(c) > 1 ? abs(c) + sqrt(c * c - 1) : 1
re(c)    = abs(c) > 1 ? c - sqrt(c * c - 1) : c
im(c)    = abs(c) > 1 ? 0 : sqrt(1 - c * c)
source(p) = 1 - 0.5 * (3140 * p) ** 2 * 272.0 / 45
set multiplot layout 1,3 title "gain of a longitudinal wave per step, beta = 3140 m/s"
set grid lw 0.6 lc rgb "#e2e2e2"
set border 3 lc rgb "#555555"
set xtics nomirror 1; set ytics nomirror
set samples 2000
set xlabel "p = k/h [10^{-4} s/m]"
set xrange [0:4.5]
set key bottom left
set ylabel "|xi| (figure 3.3)"
set yrange [0:2.5]
plot size(source(1e-4 * x)) with lines lw 2 lc rgb "#d55e00" title "(3.21), as analysed", \
     gain using (1e4 * $1):(size($2)) with points pt 7 ps 0.8 lc rgb "#0072b2" title "the scheme, as run"
set ylabel "Re xi (figure 3.4)"
set yrange [-2.5:1.1]
plot re(source(1e-4 * x)) with lines lw 2 lc rgb "#d55e00" notitle, \
     gain using (1e4 * $1):(re($2)) with points pt 7 ps 0.8 lc rgb "#0072b2" notitle
set ylabel "Im xi (figure 3.5)"
set yrange [0:1.1]
plot im(source(1e-4 * x)) with lines lw 2 lc rgb "#d55e00" notitle, \
     gain using (1e4 * $1):(im($2)) with points pt 7 ps 0.8 lc rgb "#0072b2" notitle
unset multiplot
