import type { OwnVideo, StudioSort } from '@kinora/contract/studio.ts'
import type { Visibility } from '@kinora/contract/videos.ts'
import { useQuery } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { MembersOnly } from '../../features/auth/guards.tsx'
import {
  pageSize,
  studioQuery,
  type StudioView,
  useDeleteVideos,
  useSetVisibilities,
  visibilityOf,
} from '../../features/studio/api.ts'
import { StudioList } from '../../features/studio/studio-list.tsx'
import { visibilities, visibilityNamed, visibilityNames } from '../../features/studio/visibilities.ts'
import { useDocumentTitle } from '../../lib/browser/use-document-title.ts'
import { failureMessage } from '../../lib/forms/failure-message.ts'
import { Button } from '../../ui/button.tsx'
import { Alert } from '../../ui/feedback/alert.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { LoadFailure } from '../../ui/feedback/load-failure.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { Select } from '../../ui/forms/select.tsx'
import styles from './studio-page.module.css'

/** For so long a bulk action can be undone. */
const undoMs = 10_000

const sorts: Record<StudioSort, string> = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  title: 'Title',
  views: 'Most viewed',
  likes: 'Most liked',
}

const sortNames = Object.keys(sorts) as StudioSort[]
const sortNamed = (text: string | null) => sortNames.find((name) => name === text) ?? 'newest'

/** All videos of the signed-in user, whatever their visibility. */
export function StudioPage() {
  useDocumentTitle('Studio')
  return (
    <MembersOnly skeleton={null}>
      <Studio />
    </MembersOnly>
  )
}

/** What was done a moment ago and can be undone. */
interface Done {
  text: string
  /** Videos that are as good as deleted. */
  hidden: ReadonlySet<string>
  undo: () => void
}

function Studio() {
  const [view, setView] = useView()
  const { data, isPending, isError, refetch } = useQuery(studioQuery(view))
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [done, setDone] = useState<Done>()
  const setVisibilities = useSetVisibilities()
  const deleteVideos = useDeleteVideos()
  const delay = useDelayed()
  const videos = data?.videos.filter(({ _id }) => !done?.hidden.has(_id)) ?? []
  const chosen = videos.filter(({ _id }) => selected.has(_id))
  const failure = setVisibilities.error ?? deleteVideos.error

  const isFiltered = view.text !== '' || view.visibility !== undefined

  function finish() {
    delay.now()
    setDone(undefined)
  }

  function changeVisibility(visibility: Visibility) {
    finish()
    setVisibilities.mutate(chosen.map(({ _id }) => ({ id: _id, body: { visibility } })))
    const undo = () => {
      setVisibilities.mutate(chosen.map((video) => ({ id: video._id, body: visibilityOf(video) })))
      setDone(undefined)
    }
    setDone({
      text: `${countOf(chosen)} now ${visibilities[visibility].label.toLowerCase()}.`,
      hidden: new Set(),
      undo,
    })
    delay.after(undoMs, () => setDone(undefined))
    setSelected(new Set())
  }

  function remove() {
    finish()
    const ids = chosen.map(({ _id }) => _id)
    const undo = () => {
      delay.cancel()
      setDone(undefined)
    }
    setDone({ text: `${countOf(chosen)} deleted in ${undoMs / 1000} seconds.`, hidden: new Set(ids), undo })
    delay.after(undoMs, () => deleteVideos.mutate(ids, { onSettled: () => setDone(undefined) }))
    setSelected(new Set())
  }

  return (
    <section aria-labelledby="studio">
      <h1 className={styles['heading']} id="studio">
        Studio {data && <small>{data.total}</small>}
      </h1>
      <div className={styles['filters']}>
        <Field
          label="Find in your videos"
          type="search"
          value={view.text}
          onChange={({ currentTarget }) => setView({ text: currentTarget.value })}
        />
        <Select
          label="Show"
          value={view.visibility ?? ''}
          onChange={({ currentTarget }) => setView({ visibility: visibilityNamed(currentTarget.value) })}
        >
          <option value="">All videos</option>
          {visibilityNames.map((name) => (
            <option key={name} value={name}>
              {visibilities[name].label}
            </option>
          ))}
        </Select>
        <Select
          label="Sort"
          value={view.sort}
          onChange={({ currentTarget }) => setView({ sort: sortNamed(currentTarget.value) })}
        >
          {sortNames.map((name) => (
            <option key={name} value={name}>
              {sorts[name]}
            </option>
          ))}
        </Select>
      </div>
      <div className={styles['bulk']} role="group" aria-label="Selected videos">
        <span role="status">{done?.text ?? (chosen.length > 0 ? `${chosen.length} selected` : '')}</span>
        {done && <Button onClick={done.undo}>Undo</Button>}
        {!done && chosen.length > 0 && (
          <>
            {visibilityNames
              .filter((name) => name !== 'scheduled')
              .map((name) => (
                <Button key={name} onClick={() => changeVisibility(name)}>
                  Make {visibilities[name].label.toLowerCase()}
                </Button>
              ))}
            <Button variant="danger" onClick={remove}>
              Delete
            </Button>
          </>
        )}
      </div>
      {failure && <Alert>{failureMessage(failure)}</Alert>}
      {isError && !data && <LoadFailure title="Could not load your videos" onRetry={() => void refetch()} />}
      {!isPending && !isError && videos.length === 0 && (
        <EmptyState
          title="No videos"
          text={data?.total === 0 && !isFiltered ? 'Videos you upload appear here.' : 'Nothing to show here.'}
        />
      )}
      {videos.length > 0 && <StudioList videos={videos} selected={selected} onSelect={setSelected} />}
      {data && (data.total > pageSize || view.page > 0) && (
        <div className={styles['pages']}>
          <Button disabled={view.page === 0} onClick={() => setView({ page: view.page - 1 })}>
            Previous
          </Button>
          <Button
            disabled={(view.page + 1) * pageSize >= data.total}
            onClick={() => setView({ page: view.page + 1 })}
          >
            Next
          </Button>
        </div>
      )}
    </section>
  )
}

const countOf = (videos: readonly OwnVideo[]) =>
  videos.length === 1 ? '1 video is' : `${videos.length} videos are`

/** What the list shows, as the address has it. */
function useView(): [StudioView, (change: Partial<StudioView>) => void] {
  const [params, setParams] = useSearchParams()
  const view: StudioView = {
    text: params.get('text') ?? '',
    visibility: visibilityNamed(params.get('visibility')),
    sort: sortNamed(params.get('sort')),
    page: Math.max(0, Number.parseInt(params.get('page') ?? '0', 10) || 0),
  }
  const setView = (change: Partial<StudioView>) => {
    const { text, visibility, sort, page } = { ...view, page: 0, ...change }
    setParams(
      {
        ...(text ? { text } : {}),
        ...(visibility ? { visibility } : {}),
        ...(sort === 'newest' ? {} : { sort }),
        ...(page > 0 ? { page: String(page) } : {}),
      },
      { replace: true, preventScrollReset: true },
    )
  }
  return [view, setView]
}

interface Delayed {
  timer: number
  run: () => void
}

/** Something to do later: `now` does it immediately, and so does leaving the page. */
function useDelayed() {
  const waiting = useRef<Delayed>(undefined)
  useEffect(() => () => take(waiting)?.run(), [])
  return {
    after: (ms: number, run: () => void) => {
      waiting.current = { timer: window.setTimeout(() => take(waiting)?.run(), ms), run }
    },
    now: () => take(waiting)?.run(),
    cancel: () => void take(waiting),
  }
}

function take(waiting: RefObject<Delayed | undefined>): Delayed | undefined {
  const { current } = waiting
  if (current) window.clearTimeout(current.timer)
  waiting.current = undefined
  return current
}
