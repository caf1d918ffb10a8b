# Figures 4.1, 4.5, 4.6 and 4.7 of [FD]: both stimuli alone, and what each does to the other axis.
set terminal pngcairo size 1000,633 font "DejaVu Sans,10"
set output out
probes = data[1:strlen(data) - 4] . ".probes.csv"
alone(name, column) = "< awk -F, '$2 == \"" . name . "\" { print 1e3 * $1, $" . column . " }' '" . probes . "'"
apart(name, column) = "< awk -F, 'NR > 1 { v[$2, $1] = $" . column . "; if ($2 == \"both\") t[++n] = $1 } END { " . \
    "for (i = 1; i <= n; i++) print 1e3 * t[i], v[\"both\", t[i]] - v[\"" . name . "\", t[i]] }' '" . probes . "'"
set multiplot layout 2,2 title "a violin string at a quarter of its length: pluck along x, gravity along y, and their coupling"
set grid lw 0.6 lc rgb "#e2e2e2"
set border 3 lc rgb "#555555"
set xtics nomirror; set ytics nomirror
set xlabel "t [ms]"
unset key
set ylabel "x [mm]"; set title "figure 4.1: pluck alone"
plot alone("pluck", "6") using 1:(1e3 * $2) with lines lc rgb "#0072b2"
set ylabel "y [um]"; set title "figure 4.5: gravity alone"
plot alone("gravity", "7") using 1:(1e6 * $2) with lines lc rgb "#0072b2"
set ylabel "dy [um]"; set title "figure 4.6: y, both minus gravity alone"
plot apart("gravity", "7") using 1:(1e6 * $2) with lines lc rgb "#d55e00"
set ylabel "dx [nm]"; set title "figure 4.7: x, both minus pluck alone"
plot apart("pluck", "6") using 1:(1e9 * $2) with lines lc rgb "#d55e00"
unset multiplot
