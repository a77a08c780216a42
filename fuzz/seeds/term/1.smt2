(and b (or c (= i j) (< (+ i (* 2 j)) 5) (not (>= r (/ 1 3)))))
