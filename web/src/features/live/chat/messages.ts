import type { ChatMessage } from '@kinora/contract/live/chat.ts'

/** Messages that a page keeps; older ones are loaded again on request. */
export const keptMessages = 300

const isBefore = (one: ChatMessage, other: ChatMessage) =>
  one.sentAt < other.sentAt || (one.sentAt === other.sentAt && one._id < other._id)

/** Messages in their order, each once, without removed ones. */
export function mergeMessages(
  known: readonly ChatMessage[],
  added: readonly ChatMessage[],
  removed: ReadonlySet<string>,
): ChatMessage[] {
  const byId = new Map([...known, ...added].map((message) => [message._id, message]))
  return [...byId.values()]
    .filter(({ _id }) => !removed.has(_id))
    .toSorted((one, other) => (isBefore(one, other) ? -1 : 1))
}
