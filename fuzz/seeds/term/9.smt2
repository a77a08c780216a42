(fp.isNaN (fp.rem (fp.sqrt RNA g) ((_ to_fp 11 53) RTP f)))
