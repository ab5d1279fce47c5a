import { plural, t } from '@lingui/core/macro'
import type { FoundChannel } from '@kinora/contract/watching/search.ts'
import { History, Play, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Avatar } from '../../../ui/avatar.tsx'
import { IconButton } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { VisuallyHidden } from '../../../ui/text/visually-hidden.tsx'
import styles from './suggestion-list.module.css'

export type Suggestion =
  | { kind: 'recent'; text: string }
  | { kind: 'video'; video: { _id: string; title: string } }
  | { kind: 'channel'; channel: FoundChannel }

/** Options below the search field, which keeps the focus. Recent searches come first. */
export function SuggestionList({
  id,
  suggestions,
  active,
  onChoose,
  onForget,
}: {
  id: string
  suggestions: readonly Suggestion[]
  /** Index of the option that Enter chooses; -1 for none. */
  active: number
  onChoose: (suggestion: Suggestion) => void
  onForget: (text: string) => void
}) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (active >= 0) list.current?.children[active]?.scrollIntoView({ block: 'nearest' })
  }, [active])
  const optionId = (index: number) => `${id}-${index}`

  return (
    // A mouse press must not move the focus out of the field.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className={styles['panel']} onMouseDown={(event) => event.preventDefault()}>
      <div ref={list} id={id} role="listbox" aria-label={t`Suggestions`}>
        {suggestions.map((suggestion, index) => (
          // The field handles the keys.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
          <div
            key={keyOf(suggestion)}
            id={optionId(index)}
            className={styles['option']}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            onClick={() => onChoose(suggestion)}
          >
            <Content of={suggestion} />
          </div>
        ))}
      </div>
      {/* Options cannot contain buttons, so these overlay the ends of the recent searches. */}
      <div className={styles['forget']}>
        {suggestions.map(
          (suggestion, index) =>
            suggestion.kind === 'recent' && (
              <IconButton
                key={suggestion.text}
                label={t`Forget`}
                aria-describedby={optionId(index)}
                onClick={() => onForget(suggestion.text)}
              >
                <Icon of={X} size={16} />
              </IconButton>
            ),
        )}
      </div>
      <VisuallyHidden as="div">
        <span aria-live="polite">
          {plural(suggestions.length, { one: '# suggestion', other: '# suggestions' })}
        </span>
      </VisuallyHidden>
    </div>
  )
}

function Content({ of: suggestion }: { of: Suggestion }) {
  if (suggestion.kind === 'recent') {
    return (
      <>
        <Icon of={History} size={18} />
        <span dir="auto">{suggestion.text}</span>
        <VisuallyHidden>{t`recent`}</VisuallyHidden>
      </>
    )
  }
  if (suggestion.kind === 'video') {
    return (
      <>
        <Icon of={Play} size={18} />
        <span dir="auto">{suggestion.video.title}</span>
      </>
    )
  }
  const { avatar, fullname, username } = suggestion.channel
  return (
    <>
      <Avatar src={avatar} name={fullname} size={28} />
      <span dir="auto">{fullname}</span>
      <small>
        <bdi>@{username}</bdi>
      </small>
    </>
  )
}

function keyOf(suggestion: Suggestion): string {
  if (suggestion.kind === 'recent') return `recent ${suggestion.text}`
  return suggestion.kind === 'video' ? `video ${suggestion.video._id}` : `channel ${suggestion.channel._id}`
}
