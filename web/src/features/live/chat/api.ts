import { call } from '@kinora/contract/client.ts'
import {
  type ChatMessage,
  type ChatSettings,
  getChat,
  listChatMessages,
  putChatSettings,
} from '@kinora/contract/live/chat.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'

/** A chat as somebody reads it: by its video, and by the visit of a share link if there is one. */
export interface ChatOf {
  videoId: string
  visit?: string | undefined
}

const byLink = ({ visit }: ChatOf) => (visit === undefined ? {} : { visit })

/** The chat of a video: its settings, and what the viewer may do there. */
export const chatQuery = (of: ChatOf) =>
  queryOptions({
    queryKey: ['chat', of.videoId, of.visit],
    queryFn: ({ signal }) => call(getChat, { params: { videoId: of.videoId }, query: byLink(of), signal }),
  })

/** A page of the latest messages, oldest first. */
export async function loadMessages(of: ChatOf, cursor?: string) {
  const { items, nextCursor } = await call(listChatMessages, {
    params: { videoId: of.videoId },
    query: { ...(cursor !== undefined && { cursor }), ...byLink(of) },
  })
  return { messages: items.toReversed(), nextCursor }
}

/** A replay is loaded in parts of this length. */
export const replayPartSeconds = 60
/** Pages of messages of one part; more could not be read. */
const pagesPerPart = 3

/** The messages of a part of a replay, oldest first. The first part begins before the video. */
export const replayQuery = (of: ChatOf, part: number) =>
  queryOptions({
    queryKey: ['chat', of.videoId, of.visit, 'replay', part],
    queryFn: async ({ signal }): Promise<ChatMessage[]> => {
      const range = {
        ...(part > 0 && { after: part * replayPartSeconds }),
        until: (part + 1) * replayPartSeconds,
        limit: '100',
        ...byLink(of),
      }
      return (await loadPages(of.videoId, range, pagesPerPart, signal)).toReversed()
    },
    staleTime: Infinity,
  })

type MessageRange = { after?: number; until: number; limit: string; cursor?: string; visit?: string }

/** The messages of a range on at most some pages, latest first. */
async function loadPages(
  videoId: string,
  query: MessageRange,
  pages: number,
  signal: AbortSignal,
): Promise<ChatMessage[]> {
  const { items, nextCursor } = await call(listChatMessages, { params: { videoId }, query, signal })
  if (nextCursor === null || pages === 1) return items
  return [...items, ...(await loadPages(videoId, { ...query, cursor: nextCursor }, pages - 1, signal))]
}

export function useChatSettings(videoId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: ChatSettings) => call(putChatSettings, { params: { videoId }, body }),
    onSuccess: (settings) =>
      client.setQueryData(chatQuery({ videoId }).queryKey, (chat) => chat && { ...chat, ...settings }),
  })
}
