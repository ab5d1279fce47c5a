/** Receives messages about the progress of a long operation. */
export type Progress = (message: string) => void
