import { pageLanguage } from '../../lib/i18n/language.ts'
import { t } from '@lingui/core/macro'
import { call } from '@kinora/contract/client.ts'
import {
  type HistoryEntry,
  clearHistory,
  putHistoryState,
  removeFromHistory,
} from '@kinora/contract/watching/history.ts'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Pause, Play, Trash2, X } from 'lucide-react'
import { useContext, useState } from 'react'
import { MembersOnly } from '../../features/accounts/sessions/guards.tsx'
import { historyQuery, historyStateQuery } from '../../features/watching/history/api.ts'
import { progressOf } from '../../features/videos/playback/position/api.ts'
import { ProgressContext } from '../../features/videos/videos/cards/progress-context.ts'
import { VideoCard } from '../../features/videos/videos/cards/video-card.tsx'
import { VideoRowsSkeleton } from '../../features/videos/videos/cards/video-grid.tsx'
import { useDebounced } from '../../lib/browser/use-debounced.ts'
import { PageTitle } from '../../ui/page-title.tsx'
import { failureMessage } from '../../lib/forms/failure-message.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Alert } from '../../ui/feedback/alert.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { ErrorBoundary } from '../../ui/feedback/error-boundary.tsx'
import styles from './library.module.css'
import { playbackKeys } from '../../lib/query-keys.ts'
import { historyKeys } from '../../lib/watch-keys.ts'

/** Pause in typing after which the history is searched. */
const SEARCH_AFTER_MS = 250

/** Everything that the person who is signed in has watched. */
export function CompleteHistoryPage() {
  return (
    <MembersOnly skeleton={<VideoRowsSkeleton />}>
      <PageTitle title={t`Complete history`} />
      <CompleteHistory />
    </MembersOnly>
  )
}

function CompleteHistory() {
  const client = useQueryClient()
  const [text, setText] = useState('')
  const filter = useDebounced(text.trim(), SEARCH_AFTER_MS)
  const query = useInfiniteQuery(historyQuery(filter === '' ? {} : { text: filter }))
  const entries = query.data?.pages.flatMap(({ items }) => items) ?? []
  const recent = useContext(ProgressContext)
  // The positions of all cards are those of the videos last watched; the entries know older ones.
  const progress = new Map([
    ...entries
      .map((entry) => [entry.video._id, progressOf(entry)] as const)
      .filter(([, seconds]) => seconds > 0),
    ...recent,
  ])
  const changing = useMutation({
    mutationFn: (change: () => Promise<unknown>) => change(),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: historyKeys.allComplete }),
        client.invalidateQueries({ queryKey: playbackKeys.positions }),
        client.invalidateQueries(historyStateQuery),
      ]),
  })
  return (
    <div className={styles['list']}>
      <h1 className={styles['heading']}>{t`Complete history`}</h1>
      <HistoryActions onChange={(change) => changing.mutate(change)} />
      {changing.isError && <Alert>{failureMessage(changing.error)}</Alert>}
      <Field
        label={t`Search in your history`}
        type="search"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <PagedList
        query={query}
        items={entries}
        failure={t`Could not load your history`}
        skeleton={<VideoRowsSkeleton />}
        empty={
          <EmptyState
            title={filter === '' ? t`Nothing watched yet` : t`Nothing found`}
            text={
              filter === ''
                ? t`Videos you watch appear here. Only you can see them.`
                : t`Try fewer or different words.`
            }
          />
        }
      >
        {(items) => (
          <ProgressContext value={progress}>
            {[...Map.groupBy(items, dayOf)].map(([day, ofDay]) => (
              <section key={day} className={styles['day']} aria-label={day}>
                <h2>{day}</h2>
                {ofDay.map(({ video }) => (
                  <div key={video._id} className={styles['watched']}>
                    <ErrorBoundary fallback={t`This video cannot be displayed.`}>
                      <VideoCard video={video} variant="compact" heading="h3" />
                    </ErrorBoundary>
                    <IconButton
                      label={t`Remove ${video.title}`}
                      onClick={() =>
                        changing.mutate(() => call(removeFromHistory, { params: { videoId: video._id } }))
                      }
                    >
                      <Icon of={X} />
                    </IconButton>
                  </div>
                ))}
              </section>
            ))}
          </ProgressContext>
        )}
      </PagedList>
    </div>
  )
}

const longDay = new Intl.DateTimeFormat(pageLanguage, {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
})

/** "Today", "Yesterday" or the date, by the clock of the viewer. */
function dayOf({ watchedAt }: HistoryEntry): string {
  const date = new Date(watchedAt)
  const today = new Date()
  const yesterday = new Date(today.getFullYear(), today.getMonth(), today.getDate() - 1)
  if (date.toDateString() === today.toDateString()) return t`Today`
  return date.toDateString() === yesterday.toDateString() ? t`Yesterday` : longDay.format(date)
}

function HistoryActions({ onChange }: { onChange: (change: () => Promise<unknown>) => void }) {
  const { data: state } = useQuery(historyStateQuery)
  const [isClearing, setClearing] = useState(false)
  return (
    <div className={styles['actions']}>
      {state && (
        <Button
          onClick={() => onChange(() => call(putHistoryState, { body: { isPaused: !state.isPaused } }))}
        >
          <Icon of={state.isPaused ? Play : Pause} />
          {state.isPaused ? t`Resume history` : t`Pause history`}
        </Button>
      )}
      <Button onClick={() => setClearing(true)}>
        <Icon of={Trash2} />
        {t`Clear history`}
      </Button>
      {state?.isPaused && <p role="status">{t`Your history is paused. Nothing you watch is recorded.`}</p>}
      {isClearing && (
        <ConfirmDialog
          title={t`Clear history`}
          confirmLabel={t`Clear`}
          onConfirm={() => onChange(() => call(clearHistory, {}))}
          onClose={() => setClearing(false)}
        >
          <p>{t`All entries and the positions in your videos will be deleted. This can't be undone.`}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}
