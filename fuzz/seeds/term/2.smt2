(ite b (bvadd v w) ((_ extract 7 0) (bvmul x #x0000000a)))
