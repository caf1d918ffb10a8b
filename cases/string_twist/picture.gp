# Figures 4.8 and 4.9 of [FD]: what pluck and gravity do to each other without the stretch; below, the part of the twist.
set terminal pngcairo size 1000,633 font "DejaVu Sans,10"
set output out
probes = data[1:strlen(data) - 4] . ".probes.csv"
apart(name, column) = "< awk -F, 'NR > 1 { v[$2, $1] = $" . column . "; if ($2 == \"both\") t[++n] = $1 } END { " . \
    "for (i = 1; i <= n; i++) print 1e3 * t[i], v[\"both\", t[i]] - v[\"" . name . "\", t[i]] }' '" . probes . "'"
set multiplot layout 2,2 title "coupling of the two axes with the stretch switched off, 100 times gravity"
set grid lw 0.6 lc rgb "#e2e2e2"
set border 3 lc rgb "#555555"
set xtics nomirror; set ytics nomirror
set xlabel "t [ms]"
unset key
set ylabel "dy [nm]"; set title "figure 4.8: y, both minus gravity alone"
plot apart("gravity", "7") using 1:(1e9 * $2) with lines lc rgb "#d55e00"
set ylabel "dx [nm]"; set title "figure 4.9: x, both minus pluck alone"
plot apart("pluck", "6") using 1:(1e9 * $2) with lines lc rgb "#d55e00"
set ylabel "dy [pm]"; set title "y, with minus without twist stiffness"
plot apart("untwisted", "7") using 1:(1e12 * $2) with lines lc rgb "#009e73"
set ylabel "dx [pm]"; set title "x, with minus without twist stiffness"
plot apart("untwisted", "6") using 1:(1e12 * $2) with lines lc rgb "#009e73"
unset multiplot
