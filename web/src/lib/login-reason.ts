/** Intention of somebody for whom the login page opened. */
export type LoginWish = 'like' | 'like-comment' | 'comment' | 'subscribe' | 'watch' | 'channel' | 'page'

/** Reason for which the login page opened, and the way back. */
export interface LoginReason {
  wish: LoginWish
  /** Of the video, or `@name` of the channel; empty where it is not known. */
  title: string
  /** The owner of the video. */
  person?: string | undefined
  /** Path and query of the page that was left. */
  path: string
}

/**
 * History state of the login page, which says the reason, and of the home page after it, which offers the way back. In the
 * history the addresses stay as they are, a reload keeps it, and a login without a reason has none.
 */
export const loginState = (loginReason: LoginReason) => ({ loginReason })

/** The reason in a history state; undefined in any other state. */
export function loginReasonOf(state: unknown): LoginReason | undefined {
  if (typeof state !== 'object' || state === null || !('loginReason' in state)) return undefined
  const reason = state.loginReason
  const isReason = typeof reason === 'object' && reason !== null && 'wish' in reason && 'path' in reason
  // Only `loginState` writes it.
  return isReason ? (reason as LoginReason) : undefined
}
