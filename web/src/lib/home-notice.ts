import { homeStateKey } from './kept-for-home.ts'

/** State of the home page after an account was deleted. */
export const accountDeleted = { isAccountDeleted: true }

export const isAccountDeleted = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'isAccountDeleted' in state

/** Keeps a state for the home page, where the browser leaves the site or loads it again before. */
export function keepForHome(state: object): void {
  try {
    sessionStorage.setItem(homeStateKey, JSON.stringify(state))
  } catch {
    // Storage may be blocked: the home page begins without a notice.
  }
}

/** The state that was kept; null for none. */
export function keptForHome(): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(homeStateKey) ?? 'null')
  } catch {
    // Storage may be blocked, or hold no JSON.
    return null
  }
}

/** Drops the state that was kept, once it is shown. */
export function forgetForHome(): void {
  try {
    sessionStorage.removeItem(homeStateKey)
  } catch {
    // Storage may be blocked.
  }
}
