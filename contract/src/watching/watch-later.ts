/** Alias of the id of the caller's playlist "Watch later", which every account has. Apart from `constants.ts` for the first script of the browser. */
export const watchLaterId = 'watchlater'
