/* Functions of the GNU library that only fail. Headers of the system ask for this list where the data model is ILP32,
   and machines have it only together with a library of that model. */
