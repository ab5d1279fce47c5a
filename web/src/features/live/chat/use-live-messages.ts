import { call } from '@kinora/contract/client.ts'
import { type ChatMessage, type ChatSettings, sendChatMessage } from '@kinora/contract/live/chat.ts'
import { apiPrefix } from '@kinora/contract/endpoint.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { listenToEvents } from '../../../lib/browser/event-stream.ts'
import { chatQuery, type ChatOf, loadMessages } from './api.ts'
import { keptMessages, mergeMessages } from './messages.ts'

/** An own message that the server has not confirmed. */
export interface UnsentMessage {
  key: number
  text: string
  /** Why it was not sent; undefined while it is being sent. */
  error?: unknown
}

/** The messages of an open chat as they arrive, older ones on request, and own ones that are being sent. */
export function useLiveMessages({ videoId, visit }: ChatOf) {
  const client = useQueryClient()
  const [messages, setMessages] = useState<readonly ChatMessage[]>()
  const [olderCursor, setOlderCursor] = useState<string | null>(null)
  const [hasFailed, setFailed] = useState(false)
  const [unsent, setUnsent] = useState<readonly UnsentMessage[]>([])
  const removed = useRef(new Set<string>())
  const lastKey = useRef(0)

  const add = (added: readonly ChatMessage[]) =>
    setMessages((known = []) => mergeMessages(known, added, removed.current).slice(-keptMessages))
  const drop = (ids: readonly string[]) => {
    for (const id of ids) removed.current.add(id)
    setMessages((known) => known && mergeMessages(known, [], removed.current))
  }

  useEffect(() => {
    let isOpen = true
    let opened = 0
    // after the stream is open, so that nothing in between is missed
    const load = async () => {
      const latest = await loadMessages({ videoId, visit })
      if (!isOpen) return
      setFailed(false)
      setOlderCursor((cursor) => cursor ?? latest.nextCursor)
      setMessages((known = []) => mergeMessages(known, latest.messages, removed.current).slice(-keptMessages))
      opened += 1
      // who may write may have changed while the connection was lost
      if (opened > 1)
        void client.invalidateQueries({ queryKey: chatQuery({ videoId, visit }).queryKey, exact: true })
    }
    const byLink = visit === undefined ? '' : `?${new URLSearchParams({ visit })}`
    const stop = listenToEvents(`${apiPrefix}/chat/${encodeURIComponent(videoId)}/events${byLink}`, {
      onOpen: () => void load().catch(() => isOpen && setFailed(true)),
      on: {
        messages: (data) => {
          const added = JSON.parse(data) as ChatMessage[]
          setMessages((known = []) => mergeMessages(known, added, removed.current).slice(-keptMessages))
        },
        removed: (data) => {
          for (const id of JSON.parse(data) as string[]) removed.current.add(id)
          setMessages((known) => known && mergeMessages(known, [], removed.current))
        },
        settings: (data) => {
          const settings = JSON.parse(data) as ChatSettings
          client.setQueryData(
            chatQuery({ videoId, visit }).queryKey,
            (chat) => chat && { ...chat, ...settings },
          )
          void client.invalidateQueries({ queryKey: chatQuery({ videoId, visit }).queryKey, exact: true })
        },
      },
    })
    return () => {
      isOpen = false
      stop()
    }
  }, [client, videoId, visit])

  async function loadOlder() {
    if (olderCursor === null) return
    const older = await loadMessages({ videoId, visit }, olderCursor)
    setOlderCursor(older.nextCursor)
    // the reader looks at these: nothing is cut off
    setMessages((known = []) => mergeMessages(known, older.messages, removed.current))
  }

  async function transmit({ key, text }: UnsentMessage) {
    const change = (next: UnsentMessage | undefined) =>
      setUnsent((all) => all.flatMap((each) => (each.key === key ? (next ?? []) : each)))
    change({ key, text })
    try {
      add([await call(sendChatMessage, { params: { videoId }, body: { text } })])
      change(undefined)
    } catch (error) {
      change({ key, text, error })
      throw error
    }
  }

  return {
    /** Undefined until loaded. */
    messages,
    hasFailed,
    hasOlder: olderCursor !== null,
    loadOlder: () => loadOlder().catch((error: unknown) => console.error('Older messages not loaded', error)),
    unsent,
    /** Throws what the server rejects; the message stays among the unsent ones. */
    send: (text: string) => {
      lastKey.current += 1
      const message = { key: lastKey.current, text }
      setUnsent((all) => [...all, message])
      return transmit(message)
    },
    retry: (message: UnsentMessage) => void transmit(message).catch(() => undefined),
    discard: (message: UnsentMessage) => setUnsent((all) => all.filter(({ key }) => key !== message.key)),
    /** Removes messages from the page. */
    drop,
  }
}
