((_ rotate_left 3) (bvnot (bvneg ((_ zero_extend 3) (bvor v #b00000001)))))
