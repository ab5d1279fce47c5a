/** Storage prefix of hidden marks: one for each video and picture whose files are not public. */
export const HIDDEN_PREFIX = 'hidden/'

/**
 * Key of the hidden mark of a video or picture. A reverse proxy that serves files must ask the server about marked
 * ones.
 */
export const hiddenKey = (id: string) => `${HIDDEN_PREFIX}${id}`

export const idOfHidden = (key: string) => key.slice(HIDDEN_PREFIX.length)
