import type { Chat } from '@kinora/contract/live/chat.ts'
import type { ChatWriters } from '@kinora/contract/constants.ts'

/** Facts that decide whether somebody may write in a chat. */
export interface ChatFacts {
  isOpen: boolean
  writers: ChatWriters
  /** The owner of the video, somebody who works on the channel, or a moderator. */
  mayModerate: boolean
  isSubscribed: boolean
  isBlocked: boolean
}

/** Why a user, or a visitor, cannot write in a chat; null if they can. */
export function refusalOf(chat: ChatFacts, isSignedIn: boolean): Chat['refusal'] {
  if (!chat.isOpen) return 'closed'
  if (!isSignedIn) return 'signed_out'
  if (chat.mayModerate) return null
  if (chat.isBlocked) return 'blocked'
  if (chat.writers === 'nobody') return 'nobody'
  return chat.writers === 'subscribers' && !chat.isSubscribed ? 'subscribers' : null
}

/** Milliseconds that somebody has to wait for the next message in slow mode; 0 for none. */
export function slowModeWait(
  { slowSeconds, mayModerate }: { slowSeconds: number; mayModerate: boolean },
  msSinceLast: number | null,
): number {
  if (msSinceLast === null || mayModerate) return 0
  return Math.max(0, slowSeconds * 1000 - msSinceLast)
}
