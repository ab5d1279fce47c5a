import { Fragment, type ReactNode } from 'react'
import { textParts } from '../../lib/text-parts.ts'
import styles from './linkified-text.module.css'

/** For text that belongs to no video. */
const noTimes: TimeLinks = { durationSeconds: -1, href: () => '', onSeek: () => undefined }

/** Behaviour of timestamp links. */
export type TimeLinks = {
  /** Duration in seconds; later timestamps stay text. */
  durationSeconds: number
  href: (seconds: number) => string
  onSeek: (seconds: number) => void
}

/** Where times lead that were written before the video was cut, or cut again: null for what was removed. */
type MovedTimes = { written: number; seconds: number | null }[] | undefined

/**
 * User text with line breaks; URLs and timestamps are links. `tagLink` renders a tag such as `#sea`, `mentionLink` an @name;
 * without them these are text.
 */
export function LinkifiedText({
  text,
  times = noTimes,
  moved,
  tagLink,
  mentionLink,
}: {
  text: string
  times?: TimeLinks | undefined
  moved?: MovedTimes
  tagLink?: (tag: string, text: string) => ReactNode
  /** `name` is in lower case. */
  mentionLink?: (name: string, text: string) => ReactNode
}) {
  return (
    <span className={styles['text']} dir="auto">
      {textParts(text, moved ? Infinity : times.durationSeconds).map((part, index) => {
        // Parts of a text are never reordered, so the index is a stable key.
        if (part.kind === 'tag' || part.kind === 'mention') {
          const link =
            part.kind === 'tag' ? tagLink?.(part.tag, part.text) : mentionLink?.(part.name, part.text)
          return <Fragment key={index}>{link ?? part.text}</Fragment>
        }
        if (part.kind === 'link') {
          return (
            <a key={index} href={part.href} target="_blank" rel="noopener noreferrer nofollow ugc">
              {part.text}
            </a>
          )
        }
        const written = part.kind === 'time' ? part.seconds : null
        const seconds = moved ? moved.find((time) => time.written === written)?.seconds : written
        if (seconds == null) return <span key={index}>{part.text}</span>
        return (
          <a
            key={index}
            href={times.href(seconds)}
            onClick={(event) => {
              if (event.ctrlKey || event.metaKey || event.shiftKey) return
              event.preventDefault()
              times.onSeek(seconds)
            }}
          >
            {part.text}
          </a>
        )
      })}
    </span>
  )
}
