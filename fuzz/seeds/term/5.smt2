(select (store a v (bvxor w (select a w))) #x01)
