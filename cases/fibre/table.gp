# Figures 5-18 and 5-19 of [CH]: gnuplot -e "out='picture_table.png'" table.gp, in this folder
set terminal pngcairo size 1000,633 font 'DejaVu Sans,10'
set output out
set datafile separator ','
set multiplot layout 1,2
set grid lw 0.6 lc rgb '#e2e2e2'
set border 3 lc rgb '#555555'
set xtics nomirror 0.1; set ytics nomirror
set key top left
set xlabel 'platform position x [m]'
set ylabel 'shear force at the platform [N]'
plot 'reference.csv' using 1:6 with linespoints pt 6 dt 2 lc rgb '#d55e00' title 'experiment', \
     '' using 1:7 with points pt 2 lc rgb '#555555' title '[CH], n = 24', \
     '' using 1:9 with lines lw 2 lc rgb '#0072b2' title 'withy, n = 64'
set ylabel 'moment at the platform [N m]'
plot 'reference.csv' using 1:2 with linespoints pt 6 dt 2 lc rgb '#d55e00' title 'experiment', \
     '' using 1:3 with points pt 2 lc rgb '#555555' title '[CH], n = 24', \
     '' using 1:5 with lines lw 2 lc rgb '#0072b2' title 'withy, n = 64'
