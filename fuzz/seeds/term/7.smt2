(=> (distinct i j 3) (xor (select m (div i j)) (= r (to_real (to_int r))) (bvsaddo v w)))
