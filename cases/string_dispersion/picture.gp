# Figures 4.10 and 4.11 of [FD]: the same pulse at the same time on a flexible and on a stiff string.
set terminal pngcairo size 1000,633 font "DejaVu Sans,10"
set output out
shape(rod, t) = "< awk -F, 'NR > 1 && $2 == " . rod . " && $1 > " . t . " - 1e-9 && $1 < " . t . " + 1e-9 " . \
    "{ print 1e3 * $4, 1e6 * $5 }' '" . data . "'"
set multiplot layout 2,1 title "a pulse, running to the right"
set grid lw 0.6 lc rgb "#e2e2e2"
set border 3 lc rgb "#555555"
set xtics nomirror; set ytics nomirror 0.5
set xrange [0:328]; set yrange [-0.5:1.1]
set xlabel "s [mm]"; set ylabel "x [um]"
set key top right
set title "figure 4.10: without bending stiffness: numerical dispersion only"
plot shape("1", "0") with lines dt 2 lc rgb "#999999" title "t = 0", \
     shape("1", "6e-4") with lines lw 1.5 lc rgb "#0072b2" title "t = 0.6 ms"
set title "figure 4.11: with it"
plot shape("2", "0") with lines dt 2 lc rgb "#999999" title "t = 0", \
     shape("2", "6e-4") with lines lw 1.5 lc rgb "#d55e00" title "t = 0.6 ms"
unset multiplot
