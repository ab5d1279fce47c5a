/** Shortest and longest part of a video that a clip shows. */
export const clipMinSeconds = 1
export const clipMaxSeconds = 180

/** Clips of an account, and of these those of one video. */
export const clipsPerAccount = 1000
export const clipsPerVideo = 50
