(and (fp.isNormal (fp.fma RTN f f f)) (= ((_ repeat 3) v) ((_ int2bv 24) (bv2nat v))) (bvsmulo x x) (= (fp.to_ieee_bv g) y) (fp.lt (fp.roundToIntegral RNE f) (fp.neg (fp.max f (fp.fmod f f)))))
