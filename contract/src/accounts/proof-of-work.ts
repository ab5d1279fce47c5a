/** Largest counter of a registration's challenge: a solver tries at most as many, and half of them on average. */
export const proofOfWorkMaxCounter = 400
