# Figure 3.3: the curve with its natural frame; d3 along it, d1 and d2 turning as little as possible.
set terminal pngcairo size 1000,633 font "sans,12"
set output out
set datafile separator ","
set view 50, 25, 1.6
set view equal xyz
set xyplane at -1
set border 31 lc rgb "#bbbbbb"
set xlabel "x [m]"; set ylabel "y [m]"; set zlabel "z [m]"
set ztics 0.5
set key top left
set title "natural frame along a curve"
rod = "< awk -F, '$1 == \"0\" && NR > 1' '" . data . "'"
d1x(w,x,y,z) = 1 - 2 * (y*y + z*z); d1y(w,x,y,z) = 2 * (x*y + w*z); d1z(w,x,y,z) = 2 * (x*z - w*y)
d2x(w,x,y,z) = 2 * (x*y - w*z); d2y(w,x,y,z) = 1 - 2 * (x*x + z*z); d2z(w,x,y,z) = 2 * (y*z + w*x)
d3x(w,x,y,z) = 2 * (x*z + w*y); d3y(w,x,y,z) = 2 * (y*z - w*x); d3z(w,x,y,z) = 1 - 2 * (x*x + y*y)
k = 0.45
splot rod using 5:6:7 with lines lw 3 lc rgb "#555555" title "rest shape", \
      rod every 4 using 5:6:7:(k * d1x($8,$9,$10,$11)):(k * d1y($8,$9,$10,$11)):(k * d1z($8,$9,$10,$11)) with vectors head filled size 0.06,20 lw 1.5 lc rgb "#c0504d" title "d1", \
      rod every 4 using 5:6:7:(k * d2x($8,$9,$10,$11)):(k * d2y($8,$9,$10,$11)):(k * d2z($8,$9,$10,$11)) with vectors head filled size 0.06,20 lw 1.5 lc rgb "#4f81bd" title "d2", \
      rod every 4 using 5:6:7:(k * d3x($8,$9,$10,$11)):(k * d3y($8,$9,$10,$11)):(k * d3z($8,$9,$10,$11)) with vectors head filled size 0.06,20 lw 1.5 lc rgb "#9bbb59" title "d3 = t"
