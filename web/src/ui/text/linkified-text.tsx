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

/**
 * User text with line breaks; URLs and timestamps are links. `tagLink` renders a tag such as `#sea`, `mentionLink` an @name;
 * without them these are text.
 */
export function LinkifiedText({
  text,
  times = noTimes,
  tagLink,
  mentionLink,
}: {
  text: string
  times?: TimeLinks | undefined
  tagLink?: (tag: string, text: string) => ReactNode
  /** `name` is in lower case. */
  mentionLink?: (name: string, text: string) => ReactNode
}) {
  return (
    <span className={styles['text']} dir="auto">
      {textParts(text, times.durationSeconds).map((part, index) => {
        // Parts of a text are never reordered, so the index is a stable key.
        if (part.kind === 'text') return <span key={index}>{part.text}</span>
        if (part.kind === 'tag')
          return <Fragment key={index}>{tagLink ? tagLink(part.tag, part.text) : part.text}</Fragment>
        if (part.kind === 'mention')
          return (
            <Fragment key={index}>{mentionLink ? mentionLink(part.name, part.text) : part.text}</Fragment>
          )
        if (part.kind === 'link') {
          return (
            <a key={index} href={part.href} target="_blank" rel="noopener noreferrer nofollow ugc">
              {part.text}
            </a>
          )
        }
        return (
          <a
            key={index}
            href={times.href(part.seconds)}
            onClick={(event) => {
              if (event.ctrlKey || event.metaKey || event.shiftKey) return
              event.preventDefault()
              times.onSeek(part.seconds)
            }}
          >
            {part.text}
          </a>
        )
      })}
    </span>
  )
}
