/** Takes a sentence that says how far a long operation has come. */
export type Progress = (sentence: string) => void
