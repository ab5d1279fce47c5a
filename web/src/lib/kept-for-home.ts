/** Key of a state of the home page in the storage of the tab. */
export const homeStateKey = 'kinora.home'

/** Whether a state waits for the home page. */
export function isKeptForHome(): boolean {
  try {
    return sessionStorage.getItem(homeStateKey) !== null
  } catch {
    // Storage may be blocked.
    return false
  }
}
