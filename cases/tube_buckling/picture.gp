# The rod from above and from the side, before and after it snakes; across the tube the scale is hundreds of times as large.
set terminal pngcairo size 1000,633 font "sans,12"
set output out
set datafile separator ","
set border 3 lc rgb "#bbbbbb"; set tics nomirror textcolor rgb "black"
set xrange [0:7.7]; set xlabel "x [m]"
set key top right horizontal
at(t) = sprintf("< awk -F, 'NR > 1 && $1 > %g && $1 < %g' '%s'", t - 0.001, t + 0.001, data)
set multiplot layout 2,1 title "rod in a tube, from above and from the side"
set ylabel "y [mm]"; set yrange [-5:7]
plot at(10.0/11) using 5:($6*1000) with lines lw 2 lc rgb "#2c2a66" title "F = 1.00 of the load of a long rod", \
     at(1) using 5:($6*1000) smooth csplines lw 3 lc rgb "#c8b900" title "1.10"
set ylabel "z [mm]"; set yrange [-0.1:1]
plot at(10.0/11) using 5:($7*1000) with lines lw 2 lc rgb "#2c2a66" notitle, \
     at(1) using 5:($7*1000) smooth csplines lw 3 lc rgb "#c8b900" notitle
unset multiplot
