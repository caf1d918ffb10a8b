# Table 5.3 of [CH]: gnuplot -e "out='picture_experiment.png'" experiment.gp, in this folder
set terminal pngcairo size 1000,633 font 'DejaVu Sans,10'
set output out
set datafile separator ','
set multiplot layout 1,2 title 'the experiment (points) and the model (lines) at every height of the platform'
set grid lw 0.6 lc rgb '#e2e2e2'
set border 3 lc rgb '#555555'
set xtics nomirror 0.1; set ytics nomirror
set key top left
set xlabel 'platform position x [m]'
colour = "#0072b2 #d55e00 #009e73 #cc79a7"
set ylabel 'moment at the platform [N m]'
set yrange [-0.125:0.075]
plot for [i = 1:3] 'experiment.csv' every ::1 using 1:(column(2 * i)) with points pt 6 lc rgb word(colour, i) notitle, \
     for [i = 1:3] '' every ::1 using 1:(column(2 * i + 1)) with lines lw 2 lc rgb word(colour, i) title 'y = ' . word("88 100 118", i) . ' mm'
set ylabel 'vertical force at the platform [N]'
set yrange [0.4:3]
plot for [i = 1:4] 'experiment.csv' every ::1 using 1:(column(2 * i + 6)) with points pt 6 lc rgb word(colour, i) notitle, \
     for [i = 1:4] '' every ::1 using 1:(column(2 * i + 7)) with lines lw 2 lc rgb word(colour, i) title 'y = ' . word("71 97 110 125", i) . ' mm'
unset multiplot
