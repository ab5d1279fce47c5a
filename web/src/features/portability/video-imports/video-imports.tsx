import { t } from '@lingui/core/macro'
import {
  createVideoImport,
  deleteVideoImport,
  listVideoImports,
  type VideoImport,
} from '@kinora/contract/portability/video-imports.ts'
import { call } from '@kinora/contract/client.ts'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { failureMessage } from '../../../lib/forms/failure-message.ts'
import { textOf } from '../../../lib/forms/form-fields.ts'
import { formatBytes } from '../../../lib/format/bytes.ts'
import { dashboardKeys, studioKeys, uploadKeys } from '../../../lib/query-keys.ts'
import { paths } from '../../../paths.ts'
import { Button } from '../../../ui/button.tsx'
import { Alert, Status } from '../../../ui/feedback/alert.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { LoadFailure } from '../../../ui/feedback/load-failure.tsx'
import { ProgressBar } from '../../../ui/feedback/progress-bar.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { withTranslatedFailures } from './translated-failures.ts'
import styles from './video-imports.module.css'
import { VisibilitySelect, visibilityOf } from './visibility-select.tsx'

const pollMs = 2000

const isOpen = ({ state }: VideoImport) => state === 'waiting' || state === 'running'

const importsQuery = queryOptions({
  queryKey: uploadKeys.imports,
  queryFn: async ({ signal }) => withTranslatedFailures(await call(listVideoImports, { signal })),
  refetchInterval: ({ state }) => state.data?.some(isOpen) && pollMs,
})

/** A form for the address of a media file, and the imports with how far they are. */
export function VideoImports() {
  const client = useQueryClient()
  const { data: imports, isError, refetch } = useQuery(importsQuery)
  const openCount = imports?.filter(isOpen).length ?? 0

  const heading = useRef<HTMLHeadingElement>(null)

  // Lists of own videos show what an import has added.
  const openBefore = useRef(0)
  useEffect(() => {
    if (openCount < openBefore.current)
      for (const queryKey of [studioKeys.lists, dashboardKeys.dashboard, uploadKeys.quota])
        void client.invalidateQueries({ queryKey })
    openBefore.current = openCount
  }, [client, openCount])

  return (
    <>
      <ImportForm />
      <h2 ref={heading} className={styles['heading']} tabIndex={-1}>{t`Imports`}</h2>
      {isError && !imports && (
        <LoadFailure title={t`Could not load your imports`} onRetry={() => void refetch()} />
      )}
      {!isError && !imports && <Skeleton className={styles['loading']} />}
      {imports?.length === 0 && (
        <EmptyState title={t`No imports`} text={t`Files that are fetched appear here.`} />
      )}
      {imports && imports.length > 0 && (
        <ul className={styles['list']}>
          {imports.map((each) => (
            <ImportEntry key={each._id} video={each} onRemoved={() => heading.current?.focus()} />
          ))}
        </ul>
      )}
    </>
  )
}

function ImportForm() {
  const client = useQueryClient()
  const form = useRef<HTMLFormElement>(null)
  const adding = useMutation({
    mutationFn: (fields: FormData) => {
      const title = textOf(fields, 'title').trim()
      const visibility = visibilityOf(textOf(fields, 'visibility'))
      const body = { url: textOf(fields, 'url'), visibility, ...(title === '' ? {} : { title }) }
      return call(createVideoImport, { body })
    },
    onSuccess: (_, fields) => {
      // the next address may have been typed meanwhile
      if (form.current && textOf(new FormData(form.current), 'url') === textOf(fields, 'url'))
        form.current.reset()
      return client.invalidateQueries(importsQuery)
    },
  })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (!adding.isPending) adding.mutate(new FormData(event.currentTarget))
  }

  return (
    <form ref={form} className={styles['form']} onSubmit={submit} noValidate>
      {adding.isError && <Alert>{failureMessage(adding.error)}</Alert>}
      <Field
        label={t`Address of the file`}
        name="url"
        type="url"
        inputMode="url"
        autoComplete="off"
        placeholder="https://"
        hint={t`Of the video itself, not of a page that shows it. The file must be public.`}
        required
      />
      <Field label={t`Title`} name="title" hint={t`The name of the file if you leave it empty.`} />
      <VisibilitySelect label={t`Who can watch it`} />
      <Button type="submit" variant="solid" disabled={adding.isPending}>{t`Import`}</Button>
      <Status>{adding.isSuccess && t`The import has started. You can leave this page.`}</Status>
    </form>
  )
}

function ImportEntry({ video, onRemoved }: { video: VideoImport; onRemoved: () => void }) {
  const client = useQueryClient()
  const { _id: importId, title, url, state, failure, receivedBytes, sizeBytes } = video
  const removal = useMutation({
    mutationFn: () => call(deleteVideoImport, { params: { importId } }),
    // the focused button disappears with the import
    onSuccess: onRemoved,
    onSettled: () => client.invalidateQueries(importsQuery),
  })
  return (
    <li>
      <b dir="auto">{state === 'done' ? <Link to={paths.studioVideo(importId)}>{title}</Link> : title}</b>
      <p className={styles['address']} dir="ltr">
        {url}
      </p>
      {state === 'running' && sizeBytes !== null && (
        <ProgressBar label={t`Progress of ${title}`} value={receivedBytes / Math.max(1, sizeBytes)} />
      )}
      <p className={failure === null ? styles['note'] : styles['failure']}>{failure ?? describe(video)}</p>
      {removal.isError && <Alert>{failureMessage(removal.error)}</Alert>}
      <Button
        aria-label={`${isOpen(video) ? t`Stop` : t`Remove from the list`}: ${title}`}
        disabled={removal.isPending}
        onClick={() => removal.mutate()}
      >
        {isOpen(video) ? t`Stop` : t`Remove from the list`}
      </Button>
    </li>
  )
}

function describe({ state, receivedBytes, sizeBytes }: VideoImport): string {
  if (state === 'waiting') return t`Waiting…`
  if (state === 'done') return t`Imported`
  if (sizeBytes !== null && receivedBytes >= sizeBytes) return t`Processing…`
  const received = formatBytes(receivedBytes)
  return sizeBytes === null ? t`${received} received` : t`${received} of ${formatBytes(sizeBytes)}`
}
