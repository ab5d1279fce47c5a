/** A number with its noun: `1 video`, `2 videos`. */
export const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`
