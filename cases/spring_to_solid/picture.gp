# Force of the end over the way that the spring is pressed, on a logarithmic scale; the line is the rate of the spring.
set terminal pngcairo size 1000,633 font "sans,12"
set output out
set datafile separator ","
set logscale y
set format y "%g"
set xlabel "pressed by [mm]"; set ylabel "force [N]"
set grid lc rgb "#dddddd"
set key top left
set title "spring pressed solid"
rate = 2e11 / 2.6 * 2e-3**4 / (8 * 0.02**3 * 4)
forces = "< awk -F, 'NR > 1 && $1 > 0' '" . data[1:strlen(data)-4] . ".ledger.csv'"
plot forces using (1e3 * $1):($23) with linespoints lw 2 pt 7 ps 0.6 lc rgb "#2a6f97" title "withy", \
     rate * 1e-3 * x with lines lw 1 dt 2 lc rgb "#c0504d" title "G d^4/(8 D^3 n)"
