# Figure 3.1: the spring and its curvature vectors x'', second differences of the nodes at t = 0.
# tools/pictures.sh sets data (the CSV of the run) and out.
set terminal pngcairo size 1000,633 font "sans,12"
set output out
set datafile separator ","
set view 65, 35, 0.82
set view equal xyz
set xyplane at -0.2
set border 31 lc rgb "#bbbbbb"
set xlabel "x [m]"; set ylabel "y [m]"; set zlabel "z [m]"
set key top left
set title "natural curvature: x'' on the spring at rest"
rod = "< awk -F, '$1 == \"0\" && NR > 1' '" . data . "'"
vectors = "< awk -F, '$1 == \"0\" && NR > 1 { s[n] = $4; x[n] = $5; y[n] = $6; z[n] = $7; n++ } " \
        . "END { for (i = 2; i < n - 1; i += 2) { h = s[i] - s[i-1]; q = 0.6 / (h * h); " \
        . "print x[i] \",\" y[i] \",\" z[i] \",\" q * (x[i+1] - 2 * x[i] + x[i-1]) \",\" " \
        . "q * (y[i+1] - 2 * y[i] + y[i-1]) \",\" q * (z[i+1] - 2 * z[i] + z[i-1]) } }' '" . data . "'"
splot rod using 5:6:7 with lines lw 3 lc rgb "#1f4e79" title "spring", \
      vectors using 1:2:3:4:5:6 with vectors head filled size 0.08,20 lw 1.5 lc rgb "#c0504d" \
      title "x'', 0.6 of its length"
