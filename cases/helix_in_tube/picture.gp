# The rod in its tube at three loads; across the tube the scale is a hundred times as large.
set terminal pngcairo size 1000,633 font "sans,12"
set output out
set datafile separator ","
set view 65, 25, 1, 1.1
set xyplane at 0
set border 31 lc rgb "#bbbbbb"
set xlabel "x [m]"; set ylabel "y [m]"; set zlabel "z [m]" rotate
set xrange [0:7.7]; set yrange [-0.012:0.012]; set zrange [0:0.022]
set ytics 0.01; set ztics 0.01
set key top left
set title "rod in a tube: snaking, climbing, helix"
at(t) = sprintf("< awk -F, 'NR > 1 && $1 > %g && $1 < %g' '%s'", t - 0.01, t + 0.01, data)
splot at(20) using 5:6:7 with lines lw 2 lc rgb "#2c2a66" title "F = 0.87 of the load of a helix", \
      at(36) using 5:6:7 with lines lw 2 lc rgb "#2a9d8f" title "1.06", \
      at(60) using 5:6:7 with lines lw 3 lc rgb "#c8b900" title "1.27"
