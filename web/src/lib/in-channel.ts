/** A page of the studio for a channel of somebody else, by its username; for the own one where that is undefined. */
export const inChannel = (path: string, channel: string | undefined) =>
  channel === undefined ? path : `${path}?channel=${channel}`
