# Figure 5: the arch on its way to rest, and the analytic elastica (128).  With phi = am(a (s - L/2), m)
# it is x = (2 E(phi, m) - F(phi, m))/a, y = 2 sqrt(m) cos(phi)/a, |phi| <= pi/2; the incomplete integrals by
# the midpoint rule.  tools/pictures.sh sets data (the CSV of the run) and out.
set terminal pngcairo size 1000,633 font "sans,12"
set output out
set datafile separator ","
m = 0.6244006497466; a = 0.2097493848786; parts = 200
f(p) = sum [i=1:parts] p / parts / sqrt(1 - m * sin((i - 0.5) * p / parts)**2)
e(p) = sum [i=1:parts] p / parts * sqrt(1 - m * sin((i - 0.5) * p / parts)**2)
set parametric
set trange [-pi/2:pi/2]
set samples 61
set size ratio -1
set xrange [-7:7]; set yrange [-1:8.5]
set grid lc rgb "#dddddd"
set xlabel "x [m]"; set ylabel "y [m]"
set key outside right
set title "a circular arc between two pins comes to rest as Euler's elastica"
at(t) = "< awk -F, '$1 == \"" . t . "\" && NR > 1' '" . data . "'"
plot at("0") using 5:6 with lines lw 1.5 lc rgb "#bbbbbb" title "t = 0", \
     at("5") using 5:6 with lines lw 1.5 lc rgb "#9bbb59" title "t = 5", \
     at("15") using 5:6 with lines lw 1.5 lc rgb "#7aa6c2" title "t = 15", \
     at("100") using 5:6 with lines lw 4 lc rgb "#1f4e79" title "t = 100", \
     (2 * e(t) - f(t)) / a, 2 * sqrt(m) * cos(t) / a with points pt 7 ps 0.7 lc rgb "#d55e00" title "analytic, (128)"
