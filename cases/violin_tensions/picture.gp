# Figures 4.1 to 4.4 of [FD]: the pluck, and the fundamental at three tensions (Fourier sum with a Hann window).
set terminal pngcairo size 1000,633 font "DejaVu Sans,10"
set output out
probes = data[1:strlen(data) - 4] . ".probes.csv"
record = "< awk -F, '$2 == \"t65\" && $1 < 0.02 { print 1e3 * $1, 1e6 * $6 }' '" . probes . "'"
spectrum(name) = "< awk -F, '$2 == \"" . name . "\" { x[n++] = $6; t = $1 } END { pi = atan2(0, -1); dt = t / (n - 1); " . \
    "for (i = 0; i < n; i++) x[i] *= 0.5 - 0.5 * cos(2 * pi * i / (n - 1)); " . \
    "for (f = 420; f <= 460; f += 0.5) { c = 2 * cos(2 * pi * f * dt); a = b = 0; " . \
    "for (i = 0; i < n; i++) { s = x[i] + c * a - b; b = a; a = s } " . \
    "print f, 4 / n * sqrt(a * a + b * b - c * a * b) } }' '" . probes . "'"
set multiplot layout 2,2 title "violin A string"
set grid lw 0.6 lc rgb "#e2e2e2"
set border 3 lc rgb "#555555"
set xtics nomirror; set ytics nomirror
unset key
set xlabel "t [ms]"; set ylabel "x of the middle [um]"; set title "figure 4.1: the pluck, 65 N"
plot record using 1:2 with lines lc rgb "#0072b2"
set xlabel "f [Hz]"; set ylabel "amplitude [um]"
set xrange [420:460]; set xtics 10
set arrow from 440, graph 0 to 440, graph 1 nohead dt 2 lc rgb "#d55e00"
set title "figure 4.2: 64 N"
plot spectrum("t64") using 1:(1e6 * $2) with lines lw 1.5 lc rgb "#0072b2"
set title "figure 4.4: 65 N"
plot spectrum("t65") using 1:(1e6 * $2) with lines lw 1.5 lc rgb "#0072b2"
set title "figure 4.3: 66 N"
plot spectrum("t66") using 1:(1e6 * $2) with lines lw 1.5 lc rgb "#0072b2"
unset multiplot
