import { t } from '@lingui/core/macro'
import {
  createVideoImport,
  deleteVideoImport,
  listVideoImports,
  type VideoImport,
} from '@kinora/contract/portability/video-imports.ts'
import { call } from '@kinora/contract/client.ts'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { failureMessage } from '../../../lib/forms/failure-message.ts'
import { textOf } from '../../../lib/forms/form-fields.ts'
import { useEndpointForm } from '../../../lib/forms/use-endpoint-form.ts'
import { formatBytes } from '../../../lib/format/bytes.ts'
import { uploadKeys } from '../../../lib/rare-keys.ts'
import { dashboardKeys, studioKeys } from '../../../lib/studio-keys.ts'
import { paths } from '../../../paths.ts'
import { Button } from '../../../ui/button.tsx'
import { Alert } from '../../../ui/feedback/alert.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { ProgressBar } from '../../../ui/feedback/progress-bar.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { EndpointForm } from '../../../ui/forms/endpoint-form.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { QuerySection } from '../../../ui/query-section.tsx'
import { resetUnlessTyped } from './reset-unless-typed.ts'
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
  const query = useQuery(importsQuery)
  const openCount = query.data?.filter(isOpen).length ?? 0

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
      <QuerySection
        query={query}
        failure={t`Could not load your imports`}
        skeleton={<Skeleton className={styles['loading']} />}
        empty={<EmptyState title={t`No imports`} text={t`Files that are fetched appear here.`} />}
      >
        {(imports) => (
          <ul className={styles['list']}>
            {imports.map((each) => (
              <ImportEntry key={each._id} video={each} onRemoved={() => heading.current?.focus()} />
            ))}
          </ul>
        )}
      </QuerySection>
    </>
  )
}

function ImportForm() {
  const client = useQueryClient()
  const form = useEndpointForm({
    fields: [],
    send: async (fields) => {
      const title = textOf(fields, 'title').trim()
      const visibility = visibilityOf(textOf(fields, 'visibility'))
      const body = { url: textOf(fields, 'url'), visibility, ...(title === '' ? {} : { title }) }
      await call(createVideoImport, { body })
      await client.invalidateQueries(importsQuery)
    },
    onSuccess: resetUnlessTyped,
  })
  return (
    <EndpointForm
      form={form}
      className={styles['form']}
      submit={t`Import`}
      saved={t`The import has started. You can leave this page.`}
    >
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
    </EndpointForm>
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
