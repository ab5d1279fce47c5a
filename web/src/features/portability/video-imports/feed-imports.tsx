import { i18n } from '@lingui/core'
import { plural, t } from '@lingui/core/macro'
import {
  createFeedImport,
  deleteFeedImport,
  listFeedImports,
  updateFeedImport,
  type FeedImport,
} from '@kinora/contract/portability/feed-imports.ts'
import { call } from '@kinora/contract/client.ts'
import { feedImportsPerAccount } from '@kinora/contract/constants.ts'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { failureMessage } from '../../../lib/forms/failure-message.ts'
import { textOf } from '../../../lib/forms/form-fields.ts'
import { useEndpointForm } from '../../../lib/forms/use-endpoint-form.ts'
import { formatAgeInSentence } from '../../../lib/format/age.ts'
import { formatFullCount } from '../../../lib/format/counts.ts'
import { uploadKeys } from '../../../lib/rare-keys.ts'
import { visibilityLabels } from '../../../lib/visibility-labels.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { Alert, Status } from '../../../ui/feedback/alert.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { CheckGroup } from '../../../ui/forms/check-group.tsx'
import { EndpointForm } from '../../../ui/forms/endpoint-form.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { QuerySection } from '../../../ui/query-section.tsx'
import { resetUnlessTyped } from './reset-unless-typed.ts'
import { withTranslatedFailures } from './translated-failures.ts'
import styles from './video-imports.module.css'
import { VisibilitySelect, visibilityOf } from './visibility-select.tsx'

const pollMs = 5000

/** The first check of a feed, or an import of one of its videos, is under way. */
const isBusy = ({ checkedAt, waitingCount, failure, isPaused }: FeedImport) =>
  !isPaused && failure === null && (checkedAt === null || waitingCount > 0)

const feedsQuery = queryOptions({
  queryKey: uploadKeys.feeds,
  queryFn: async ({ signal }) => withTranslatedFailures(await call(listFeedImports, { signal })),
  refetchInterval: ({ state }) => state.data?.some(isBusy) && pollMs,
})

/** The feeds whose new videos are imported, and a form that adds one. */
export function FeedImports() {
  const client = useQueryClient()
  const query = useQuery(feedsQuery)
  const counts = query.data?.map(({ importedCount, waitingCount }) => [importedCount, waitingCount]).join()

  // the list of imports contains the imports of feeds, too
  const countsBefore = useRef(counts)
  useEffect(() => {
    if (countsBefore.current !== undefined && counts !== countsBefore.current)
      void client.invalidateQueries({ queryKey: uploadKeys.imports })
    countsBefore.current = counts
  }, [client, counts])

  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <>
      <h2 ref={heading} className={styles['heading']} tabIndex={-1}>{t`Feeds`}</h2>
      <p className={styles['note']}>
        {t`New videos of a podcast, a PeerTube channel or another RSS or Atom feed are imported every hour.`}
      </p>
      <QuerySection
        query={query}
        failure={t`Could not load your feeds`}
        skeleton={<Skeleton className={styles['loading']} />}
      >
        {(feeds) => (
          <>
            {feeds.length > 0 && (
              <ul className={styles['list']}>
                {feeds.map((feed) => (
                  <Feed key={feed._id} feed={feed} onRemoved={() => heading.current?.focus()} />
                ))}
              </ul>
            )}
            <FeedForm count={feeds.length} />
          </>
        )}
      </QuerySection>
    </>
  )
}

/** Adds a feed. With the last one that an account can have, its fields go. */
function FeedForm({ count }: { count: number }) {
  const client = useQueryClient()
  const form = useEndpointForm({
    fields: [],
    send: async (fields) => {
      await call(createFeedImport, {
        body: {
          url: textOf(fields, 'url'),
          visibility: visibilityOf(textOf(fields, 'visibility')),
          importsExisting: fields.has('existing'),
        },
      })
      await client.invalidateQueries(feedsQuery)
    },
    onSuccess: resetUnlessTyped,
  })
  const added = t`The feed was added. It is checked within a minute.`
  if (count >= feedImportsPerAccount)
    return (
      <>
        <Status>{form.isSent && added}</Status>
        <p className={styles['note']}>
          {t`You have ${{ count: formatFullCount(count) }} feeds. Remove one to add another.`}
        </p>
      </>
    )
  return (
    <EndpointForm form={form} className={styles['form']} submit={t`Add feed`} saved={added}>
      <Field
        label={t`Address of the feed`}
        name="url"
        type="url"
        inputMode="url"
        autoComplete="off"
        placeholder="https://"
        hint={t`RSS or Atom, with links to the video files.`}
        required
      />
      <VisibilitySelect label={t`Who can watch its videos`} />
      <CheckGroup legend={t`Older videos`}>
        <label>
          <input type="checkbox" name="existing" />
          {t`Import the videos that the feed has now`}
        </label>
      </CheckGroup>
    </EndpointForm>
  )
}

function Feed({ feed, onRemoved }: { feed: FeedImport; onRemoved: () => void }) {
  const client = useQueryClient()
  const [isAsking, setIsAsking] = useState(false)
  const { _id: feedId, url, title, isPaused, failure } = feed
  const onSettled = () => client.invalidateQueries(feedsQuery)
  const pausing = useMutation({
    mutationFn: () => call(updateFeedImport, { params: { feedId }, body: { isPaused: !isPaused } }),
    onSettled,
  })
  const removal = useMutation({
    mutationFn: () => call(deleteFeedImport, { params: { feedId } }),
    // the focused button disappears with the feed
    onSuccess: onRemoved,
    onSettled,
  })
  const name = title ?? url
  const error = pausing.error ?? removal.error
  const isPending = pausing.isPending || removal.isPending
  const pauseLabel = isPaused ? t`Resume` : t`Pause`
  const removeLabel = t`Remove feed`
  return (
    <li>
      <b dir="auto">{name}</b>
      {title !== null && (
        <p className={styles['address']} dir="ltr">
          {url}
        </p>
      )}
      <p className={styles['note']}>{describe(feed)}</p>
      {failure !== null && <p className={styles['failure']}>{failure}</p>}
      {error && <Alert>{failureMessage(error)}</Alert>}
      <div className={styles['actions']}>
        <Button aria-label={`${pauseLabel}: ${name}`} disabled={isPending} onClick={() => pausing.mutate()}>
          {pauseLabel}
        </Button>
        <Button aria-label={`${removeLabel}: ${name}`} disabled={isPending} onClick={() => setIsAsking(true)}>
          {removeLabel}
        </Button>
      </div>
      {isAsking && (
        <ConfirmDialog
          title={t`Remove the feed ${name}`}
          confirmLabel={removeLabel}
          onClose={() => setIsAsking(false)}
          onConfirm={() => removal.mutate()}
        >
          <p>{t`Its new videos are no longer imported. Videos that were imported stay.`}</p>
        </ConfirmDialog>
      )}
    </li>
  )
}

/** Results of a feed: "3 videos imported · Private · Checked 5 minutes ago". */
function describe({ importedCount, waitingCount, visibility, checkedAt, isPaused }: FeedImport): string {
  const age = checkedAt === null ? undefined : formatAgeInSentence(checkedAt, Date.now())
  const state = isPaused ? t`Paused` : age === undefined ? t`Not checked yet` : t`Checked ${age}`
  return [
    plural(importedCount, { one: '# video imported', other: '# videos imported' }),
    ...(waitingCount > 0
      ? [plural(waitingCount, { one: '# video waiting', other: '# videos waiting' })]
      : []),
    i18n._(visibilityLabels[visibility]),
    state,
  ].join(' · ')
}
