import { plural, t } from '@lingui/core/macro'
import type { ChatMessage } from '@kinora/contract/live/chat.ts'
import { type ReactNode, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { Avatar } from '../../../ui/avatar.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { VisuallyHidden } from '../../../ui/text/visually-hidden.tsx'
import styles from './chat.module.css'

/** Distance from the end at which the list still follows new messages, in pixels. */
const nearEnd = 48
/** How often a screen reader hears of new messages. */
const announceMs = 5000

/** The messages of a chat. It follows new ones while its end is in view. */
export function MessageList({
  messages,
  before,
  after,
  empty,
  actionsOf,
}: {
  messages: readonly ChatMessage[]
  before?: ReactNode
  /** Own messages that are not sent yet. */
  after?: ReactNode
  empty: string
  actionsOf?: (message: ChatMessage) => ReactNode
}) {
  const scroller = useRef<HTMLDivElement>(null)
  const [isAtEnd, setAtEnd] = useState(true)
  const lastId = messages.at(-1)?._id
  const [seenId, setSeenId] = useState(lastId)
  const toEnd = () => scroller.current?.scrollTo({ top: scroller.current.scrollHeight })
  /** Where the list was after it followed: a reader who scrolled since has left the end, before the event says so. */
  const followedTo = useRef(0)
  const follow = useEffectEvent(() => {
    const list = scroller.current
    if (!list || !isAtEnd) return
    const expected = Math.min(followedTo.current, list.scrollHeight - list.clientHeight)
    if (list.scrollTop < expected - nearEnd) return
    toEnd()
    followedTo.current = list.scrollTop
  })
  // after each change of what it shows
  useLayoutEffect(() => {
    follow()
  })
  return (
    <div className={styles['body']}>
      <Announcer messages={messages} />
      <div
        ref={scroller}
        className={styles['scroller']}
        role="log"
        // the announcer speaks: each message at once would never end
        aria-live="off"
        aria-label={t`Messages`}
        // scrolled by the keyboard
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
          const isNowAtEnd = scrollHeight - scrollTop - clientHeight < nearEnd
          setAtEnd(isNowAtEnd)
          if (isNowAtEnd) setSeenId(lastId)
        }}
      >
        {before}
        {messages.length === 0 && !after && <p className={styles['empty']}>{empty}</p>}
        <ol className={styles['messages']}>
          {messages.map((message) => (
            <li key={message._id} className={styles['message']}>
              <Avatar src={message.author.avatar} name={message.author.fullname} size={24} lazy />
              <p dir="auto">
                <strong className={styles['author']}>{message.author.fullname}</strong>{' '}
                {message.mark && (
                  <>
                    <Badge tone={message.mark === 'owner' ? 'good' : 'quiet'}>
                      {markName(message.mark)}
                    </Badge>{' '}
                  </>
                )}
                {message.text}
              </p>
              {actionsOf?.(message)}
            </li>
          ))}
        </ol>
        {after}
      </div>
      {!isAtEnd && seenId !== lastId && (
        <Button variant="solid" className={styles['newer']} onClick={toEnd}>
          {t`New messages`}
        </Button>
      )}
    </div>
  )
}

function markName(mark: NonNullable<ChatMessage['mark']>): string {
  if (mark === 'owner') return t`Channel`
  return mark === 'team' ? t`Channel team` : t`Moderator`
}

/** Announces what arrived to screen readers: one message in full, of several how many, at most every few seconds. */
function Announcer({ messages }: { messages: readonly ChatMessage[] }) {
  const [text, setText] = useState('')
  const latest = useRef(messages)
  const announcedUntil = useRef(messages.at(-1)?.sentAt)
  useEffect(() => {
    latest.current = messages
    announcedUntil.current ??= messages.at(-1)?.sentAt
  }, [messages])
  useEffect(() => {
    const timer = setInterval(() => {
      const announced = announcedUntil.current
      const arrived = latest.current.filter(({ sentAt }) => announced !== undefined && sentAt > announced)
      const [first] = arrived
      announcedUntil.current = latest.current.at(-1)?.sentAt
      if (!first) return
      setText(
        arrived.length === 1
          ? `${first.author.fullname}: ${first.text}`
          : plural(arrived.length, { one: '# new message', other: '# new messages' }),
      )
    }, announceMs)
    return () => clearInterval(timer)
  }, [])
  return (
    <VisuallyHidden>
      <span role="status">{text}</span>
    </VisuallyHidden>
  )
}
