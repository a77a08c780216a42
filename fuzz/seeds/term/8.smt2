(= ((as const (Array Int Bool)) false) (store m (mod i 3) true))
