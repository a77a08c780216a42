(let ((k (bvudiv v w)) (l (bvsrem v #x03))) (bvult (concat k l) ((_ sign_extend 8) v)))
