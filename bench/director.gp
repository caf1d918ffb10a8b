# Error against time, every setting of `bench_director --sweep > sweep.txt`:
#   gnuplot -e "data='sweep.txt'; out='docs/pictures/director_accuracy.png'" bench/director.gp
set terminal pngcairo size 1200,560 font "DejaVu Sans,11"
set output out
set multiplot layout 1,2
set logscale xy
set format y "10^{%T}"
set xlabel "processor time for 0.5 s of motion [ms]"
set ylabel "largest tip error / L"
set key bottom left samplen 1 font ",9"
set grid lc rgb "#dddddd"
do for [scene=2:1:-1] {
  set title sprintf("S%d, %s", scene, scene == 2 ? "swing under gravity (smooth)" : "release (moment jumps at t = 0)")
  set xrange [0.3:400]
  set yrange [1e-5:0.3]
  plot for [p=1:4] data using ($1 == scene && $2 == p && $4 == 2 ? $7 : 1/0):6 with points pt 6 ps 0.7 lc p title sprintf("degree %d", p), \
       for [p=1:4] data using ($1 == scene && $2 == p && $4 == 4 ? $7 : 1/0):6 with points pt 7 ps 0.7 lc p title sprintf("degree %d, order 4", p), \
       (scene == 2 ? "bench/peers_s2.txt" : "bench/peers_s1.txt") using 1:2:3 with labels point pt 4 lc rgb "black" offset 1,0.5 font ",9" left notitle
}
