(= ((_ fp.to_sbv 32) RTZ g) (bvashr x (bvshl x #x00000001)))
