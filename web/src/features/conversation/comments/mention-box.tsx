import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, type KeyboardEvent, type RefObject, useId, useState } from 'react'
import { useDebounced } from '../../../lib/browser/use-debounced.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { mentionableQuery } from './api.ts'
import styles from './mention-box.module.css'

/** A name after an @ that ends at the caret. */
const UNFINISHED = /(?<![\p{L}\p{N}_@./-])@([A-Za-z0-9]{0,64})$/u

type Mention = { start: number; name: string }

/** A text area that completes @names. */
export function MentionBox({
  ref,
  videoId,
  value,
  onText,
  onKeyDown,
  ...rest
}: Omit<ComponentProps<'textarea'>, 'value' | 'onChange' | 'ref'> & {
  ref: RefObject<HTMLTextAreaElement | null>
  videoId: string
  value: string
  onText: (text: string) => void
}) {
  const listId = useId()
  const [mention, setMention] = useState<Mention>()
  const [active, setActive] = useState(0)
  const text = useDebounced(mention?.name.toLowerCase() ?? '', 120)
  const { data: found = [] } = useQuery({
    ...mentionableQuery(videoId, text),
    enabled: mention !== undefined,
  })
  const people = mention
    ? found.filter(({ username }) => username.toLowerCase().startsWith(mention.name.toLowerCase()))
    : []

  function find({ value: typed, selectionStart }: HTMLTextAreaElement) {
    const [, name] = UNFINISHED.exec(typed.slice(0, selectionStart)) ?? []
    setMention(name === undefined ? undefined : { start: selectionStart - name.length - 1, name })
    setActive(0)
  }

  function complete(username: string) {
    const box = ref.current
    if (!mention || !box) return
    const end = mention.start + mention.name.length + 1
    box.focus()
    // Keeps the undo history of the browser, and fires `onChange`.
    box.setSelectionRange(mention.start, end)
    document.execCommand('insertText', false, `@${username} `)
    setMention(undefined)
  }

  function onKey(event: KeyboardEvent<HTMLTextAreaElement>) {
    const person = people[active]
    if (!person || event.nativeEvent.isComposing || event.ctrlKey || event.metaKey) return onKeyDown?.(event)
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) setActive((active + step + people.length) % people.length)
    else if (event.key === 'Enter' || event.key === 'Tab') complete(person.username)
    else if (event.key === 'Escape') setMention(undefined)
    else return onKeyDown?.(event)
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <>
      <textarea
        dir="auto"
        {...rest}
        ref={ref}
        aria-autocomplete="list"
        aria-controls={people.length > 0 ? listId : undefined}
        aria-activedescendant={people.length > 0 ? `${listId}-${active}` : undefined}
        value={value}
        onChange={(event) => {
          onText(event.target.value)
          find(event.target)
        }}
        onKeyDown={onKey}
        onBlur={() => setMention(undefined)}
      />
      {people.length > 0 && (
        <div className={styles['place']}>
          <div id={listId} className={styles['people']} role="listbox" aria-label={t`People`}>
            {people.map((person, index) => (
              <div
                key={person.username}
                id={`${listId}-${index}`}
                role="option"
                aria-selected={index === active}
                // The focus stays in the text.
                onPointerDown={(event) => {
                  event.preventDefault()
                  complete(person.username)
                }}
              >
                <Avatar src={person.avatar} name={person.fullname} size={28} />
                <span dir="auto">{person.fullname}</span>
                <small>
                  <bdi>@{person.username}</bdi>
                </small>
              </div>
            ))}
          </div>
        </div>
      )}
    </>
  )
}
