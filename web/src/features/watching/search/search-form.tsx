import { t } from '@lingui/core/macro'
import type { SearchSuggestions } from '@kinora/contract/watching/search.ts'
import { useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import {
  type FormEvent,
  type KeyboardEvent,
  lazy,
  Suspense,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useLocation, useMatch, useNavigate } from 'react-router'
import { useDebounced } from '../../../lib/browser/use-debounced.ts'
import { paths, searchTermOf } from '../../../paths.ts'
import { IconButton } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { suggestionsQuery } from './api.ts'
import {
  forgetRecentSearch,
  loadRecentSearches,
  matchingSearches,
  saveRecentSearch,
} from './recent-searches.ts'
import styles from './search-form.module.css'
import type { Suggestion } from './suggestion-list.tsx'

const SuggestionList = lazy(async () => ({ default: (await import('./suggestion-list.tsx')).SuggestionList }))

/** Recent searches that are suggested without a text, and with one. */
const MAX_RECENT = 8
const MAX_RECENT_MATCHES = 3

/**
 * The search field with its suggestions. Without a chosen suggestion it searches for the text. The field keeps the role
 * `searchbox`, so it refers to its options as a text field does, without the states of a combobox.
 */
export function SearchForm({ userId }: { userId: string | null }) {
  const input = useRef<HTMLInputElement>(null)
  const listId = useId()
  const navigate = useNavigate()
  const { pathname, key } = useLocation()
  const isOnSearch = useMatch('/search/:term') !== null
  const term = (isOnSearch && searchTermOf(pathname)) || ''
  const [typed, setTyped] = useState('')
  // Suggestions belong to the page on which they were opened.
  const [openOn, setOpenOn] = useState<string>()
  const [recent, setRecent] = useState<readonly string[]>([])
  const [active, setActive] = useState(-1)
  const text = openOn === key ? typed : undefined
  // Of the closed list too, so that it reopens with its options.
  const settled = useDebounced(typed, 120)
  const { data: found } = useQuery(suggestionsQuery(settled))
  // Not those of an earlier search, until the text settles.
  const isRelated = settled.startsWith(typed) || typed.startsWith(settled)
  const suggestions =
    text === undefined ? [] : suggestionsFor(text, recent, text.trim() && isRelated ? found : undefined)
  const isOpen = suggestions.length > 0

  // The field shows the term of the search page, even after going back. Set before painting: a moment later the user
  // may be typing.
  useLayoutEffect(() => {
    if (input.current) input.current.value = term
  }, [term])

  function open() {
    setTyped(input.current?.value ?? '')
    setOpenOn(key)
    setRecent(loadRecentSearches(userId))
    setActive(-1)
  }

  const close = () => setOpenOn(undefined)

  function submit(event: FormEvent) {
    event.preventDefault()
    const value = input.current?.value ?? ''
    if (value.trim() === '') {
      input.current?.focus()
      return
    }
    searchFor(value)
  }

  function searchFor(value: string) {
    close()
    saveRecentSearch(userId, value.trim())
    const target = paths.search(value)
    void navigate(target, { replace: target === pathname })
  }

  function choose(suggestion: Suggestion) {
    if (suggestion.kind === 'recent') {
      if (input.current) input.current.value = suggestion.text
      searchFor(suggestion.text)
      return
    }
    close()
    if (input.current) input.current.value = term
    void navigate(
      suggestion.kind === 'video'
        ? paths.watch(suggestion.video._id)
        : paths.channelVideos(suggestion.channel.username),
    )
  }

  function forget(search: string) {
    forgetRecentSearch(userId, search)
    input.current?.focus()
    open()
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const chosen = suggestions[active]
    if (step && text === undefined) open()
    else if (step) {
      // The text itself is one of the places.
      const places = suggestions.length + 1
      setActive(((active + 1 + step + places) % places) - 1)
    } else if (event.key === 'Enter' && chosen) choose(chosen)
    else if (event.key === 'Escape' && isOpen) close()
    else return
    event.preventDefault()
  }

  return (
    // Closes the suggestions when the focus leaves.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form
      className={styles['find']}
      role="search"
      onSubmit={submit}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) close()
      }}
    >
      <input
        ref={input}
        type="search"
        name="q"
        aria-label={t`Search`}
        aria-autocomplete="list"
        aria-controls={isOpen ? listId : undefined}
        aria-activedescendant={isOpen && active >= 0 ? `${listId}-${active}` : undefined}
        placeholder={t`Search`}
        autoComplete="off"
        enterKeyHint="search"
        required
        defaultValue={term}
        onInput={open}
        onClick={open}
        onKeyDown={onKeyDown}
      />
      <IconButton type="submit" label={t`Search`}>
        <Icon of={Search} />
      </IconButton>
      {isOpen && (
        <Suspense>
          <SuggestionList
            id={listId}
            suggestions={suggestions}
            active={active}
            onChoose={choose}
            onForget={forget}
          />
        </Suspense>
      )}
    </form>
  )
}

function suggestionsFor(
  text: string,
  recent: readonly string[],
  found: SearchSuggestions | undefined,
): Suggestion[] {
  const limit = text.trim() ? MAX_RECENT_MATCHES : MAX_RECENT
  return [
    ...matchingSearches(recent, text, limit).map((search) => ({ kind: 'recent', text: search }) as const),
    ...(found?.videos ?? []).map((video) => ({ kind: 'video', video }) as const),
    ...(found?.channels ?? []).map((channel) => ({ kind: 'channel', channel }) as const),
  ]
}
