(fp.leq (fp.add RNE f ((_ to_fp 8 24) RTZ x)) (fp #b0 #b10000000 #b00000000000000000000000))
