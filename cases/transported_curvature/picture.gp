# Figure 3.2: the straightened rod with its transported natural curvature at t = 0, and the rod later on.
set terminal pngcairo size 1000,633 font "sans,12"
set output out
set datafile separator ","
set view 62, 18, 1.25, 1.0
set yrange [-3:3]; set zrange [-3:3]; set xtics 5; set ytics 2
set xyplane at -3
set border 31 lc rgb "#bbbbbb"
set xlabel "x [m]"; set ylabel "y [m]" offset 0,-1; set zlabel "z [m]" offset 4,0
set ztics 2
set key top left
set title "transported natural curvature on the straightened spring, and its release"
at(t) = "< awk -F, '$1 == \"" . t . "\" && NR > 1' '" . data . "'"
# kappa(s), a quantity of the result, is in the columns 27 .. 29
splot at("0") using 5:6:7 with lines lw 3 lc rgb "#1f4e79" title "t = 0, straight", \
      at("0") using 5:6:7:27:28:29 every 2 \
      with vectors head filled size 0.15,20 lw 1.2 lc rgb "#c0504d" title "kappa(s)", \
      at("6") using 5:6:7 with lines lw 1.5 lc rgb "#7aa6c2" title "t = 6", \
      at("14") using 5:6:7 with lines lw 1.5 lc rgb "#9bbb59" title "t = 14"
