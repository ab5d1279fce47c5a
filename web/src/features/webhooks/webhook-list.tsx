import {
  createWebhook,
  deleteWebhook,
  listWebhookDeliveries,
  listWebhooks,
  resumeWebhook,
  testWebhook,
} from '@kinora/contract/calls/webhooks.ts'
import { call } from '@kinora/contract/client.ts'
import { ownWebhookEvents, webhookEvents } from '@kinora/contract/constants.ts'
import type { Webhook, WebhookDelivery, WebhookEvent } from '@kinora/contract/webhooks.ts'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { failureMessage } from '../../lib/forms/failure-message.ts'
import { fieldErrors, formError } from '../../lib/forms/field-errors.ts'
import { focusFirstInvalid } from '../../lib/forms/focus-first-invalid.ts'
import { textOf } from '../../lib/forms/form-fields.ts'
import { formatAge } from '../../lib/format/age.ts'
import { sessionKeys } from '../../lib/query-keys.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Alert, Status } from '../../ui/feedback/alert.tsx'
import { LoadFailure } from '../../ui/feedback/load-failure.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { CheckGroup } from '../../ui/forms/check-group.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { Row, RowList } from '../../ui/row-list.tsx'
import styles from './webhook-list.module.css'

const webhooksQuery = queryOptions({
  queryKey: sessionKeys.webhooks,
  queryFn: ({ signal }) => call(listWebhooks, { signal }),
})

const eventTexts: Record<WebhookEvent, string> = {
  'video.published': 'A video was published',
  'video.ready': 'Processing a video has finished',
  'video.failed': 'Processing a video has failed',
  'comment.created': 'Somebody commented below a video',
  'user.registered': 'Somebody registered',
  'report.created': 'Something was reported',
}

const refreshMs = 3000

type Change = 'test' | 'resume' | 'delete'
const endpoints = { test: testWebhook, resume: resumeWebhook, delete: deleteWebhook }
const outcomes: Record<Change, string> = {
  test: 'A test is on its way. Its outcome is in the deliveries.',
  resume: 'Events are sent again.',
  delete: 'The webhook is deleted.',
}

/** The webhooks of the account, their deliveries, and a button that adds one. */
export function WebhookList({ isAdministrator }: { isAdministrator: boolean }) {
  const client = useQueryClient()
  const [isAdding, setAdding] = useState(false)
  const [shown, setShown] = useState<Webhook>()
  const [leaving, setLeaving] = useState<Webhook>()
  const list = useRef<HTMLUListElement>(null)
  const { data: webhooks, isError, refetch } = useQuery(webhooksQuery)
  const change = useMutation({
    mutationFn: ({ kind, webhookId }: { kind: Change; webhookId: string }) =>
      call(endpoints[kind], { params: { webhookId } }),
    // the pressed button goes, except that of a test
    onSuccess: (_, { kind }) => kind !== 'test' && list.current?.focus(),
    onSettled: () => client.invalidateQueries(webhooksQuery),
  })
  if (isError && !webhooks)
    return <LoadFailure title="Could not load your webhooks" onRetry={() => void refetch()} />
  if (!webhooks) return <Skeleton />
  return (
    <>
      <RowList ref={list} label="Webhooks">
        {webhooks.map((webhook) => {
          const { _id: webhookId, url, events, isSite, pausedAt } = webhook
          const button = (kind: Change, label: string) => (
            <Button
              disabled={change.isPending}
              aria-label={`${label}: ${url}`}
              onClick={() => change.mutate({ kind, webhookId })}
            >
              {label}
            </Button>
          )
          return (
            <Row
              key={webhookId}
              title={url}
              badge={pausedAt && 'Paused after failures or a reset password'}
              isAlarming
              note={`${isSite ? 'Whole site: ' : ''}${events.map((event) => eventTexts[event]).join(' · ')}`}
              areControlsBelow
              controls={
                <>
                  <Button aria-label={`Deliveries: ${url}`} onClick={() => setShown(webhook)}>
                    Deliveries
                  </Button>
                  {button('test', 'Send a test')}
                  {pausedAt && button('resume', 'Resume')}
                  <Button
                    disabled={change.isPending}
                    aria-label={`Delete: ${url}`}
                    onClick={() => setLeaving(webhook)}
                  >
                    Delete
                  </Button>
                </>
              }
            />
          )
        })}
      </RowList>
      {change.isError && <Alert>{failureMessage(change.error)}</Alert>}
      <Status>{change.isSuccess && outcomes[change.variables.kind]}</Status>
      <Button onClick={() => setAdding(true)}>Add a webhook</Button>
      {isAdding && (
        <AddDialog
          isAdministrator={isAdministrator}
          onClose={() => setAdding(false)}
          onAdded={(added) => {
            setAdding(false)
            setShown(added)
            void client.invalidateQueries(webhooksQuery)
          }}
        />
      )}
      {leaving && (
        <ConfirmDialog
          title="Delete this webhook?"
          confirmLabel="Delete"
          onConfirm={() => change.mutate({ kind: 'delete', webhookId: leaving._id })}
          onClose={() => setLeaving(undefined)}
        >
          <p className={styles['address']}>
            Nothing more is sent to {leaving.url}. Its secret and its deliveries are deleted, too.
          </p>
        </ConfirmDialog>
      )}
      {shown && <DeliveriesDialog webhook={shown} onClose={() => setShown(undefined)} />}
    </>
  )
}

function AddDialog({
  isAdministrator,
  onClose,
  onAdded,
}: {
  isAdministrator: boolean
  onClose: () => void
  onAdded: (webhook: Webhook) => void
}) {
  const [isSite, setIsSite] = useState(false)
  const adding = useMutation({
    mutationFn: (form: FormData) => {
      const chosen = form.getAll('events')
      const events = webhookEvents.filter((event) => chosen.includes(event))
      return call(createWebhook, { body: { url: textOf(form, 'url'), events, isSite } })
    },
    onSuccess: onAdded,
  })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    if (!adding.isPending)
      adding.mutate(new FormData(form), {
        onError: (error) => focusFirstInvalid(form, fieldErrors(error)),
      })
  }
  const errors = fieldErrors(adding.error)

  return (
    <Dialog title="Add a webhook" onClose={onClose} closesOnOutsideClick={false}>
      <form onSubmit={submit} noValidate>
        <Field
          label="Address"
          name="url"
          type="url"
          placeholder="https://"
          autoComplete="off"
          error={errors['url']}
        />
        <CheckGroup legend="Events" error={errors['events']}>
          {isAdministrator && (
            <label>
              <input type="checkbox" checked={isSite} onChange={({ target }) => setIsSite(target.checked)} />
              Of the whole site, not only of your videos
            </label>
          )}
          {(isSite ? webhookEvents : ownWebhookEvents).map((event) => (
            <label key={event}>
              <input
                type="checkbox"
                name="events"
                value={event}
                defaultChecked={event === 'video.published'}
              />
              {eventTexts[event]}
            </label>
          ))}
        </CheckGroup>
        <Alert>{formError(adding.error, ['url', 'events'])}</Alert>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="solid" type="submit" disabled={adding.isPending}>
            {adding.isPending ? 'Adding…' : 'Add'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function DeliveriesDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { _id: webhookId, url, secret } = webhook
  const {
    data: deliveries,
    isError,
    dataUpdatedAt,
    refetch,
  } = useQuery({
    queryKey: [...sessionKeys.webhooks, webhookId],
    queryFn: ({ signal }) => call(listWebhookDeliveries, { params: { webhookId }, signal }),
    refetchInterval: refreshMs,
  })
  return (
    <Dialog title="Webhook" onClose={onClose} width={560}>
      <p className={styles['note']}>{url}</p>
      <p>Check signatures with this secret:</p>
      <p className={styles['secret']}>{secret}</p>
      <h3>Last deliveries</h3>
      {isError && !deliveries && (
        <LoadFailure title="Could not load the deliveries" onRetry={() => void refetch()} />
      )}
      {!deliveries && !isError && <Skeleton />}
      {deliveries?.length === 0 && <p className={styles['note']}>Nothing was sent yet.</p>}
      {deliveries && deliveries.length > 0 && (
        // a region that scrolls must be reachable by keyboard
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <ul className={styles['log']} tabIndex={0} aria-label="Last deliveries">
          {deliveries.map((delivery) => (
            <li key={delivery._id}>
              <b>{delivery.event}</b>
              <p className={styles['note']}>
                {describe(delivery)} · {formatAge(delivery.createdAt, dataUpdatedAt).toLowerCase()}
              </p>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}

/** "Delivered: 204 in 83 ms", "Waiting to try again: The connection failed in 12 ms, 2 attempts" */
function describe({ state, attempts, status, problem, durationMs }: WebhookDelivery): string {
  if (attempts === 0) return 'Waiting, at most a minute'
  const names = { delivered: 'Delivered', waiting: 'Waiting to try again', failed: 'Failed' }
  const duration = durationMs === null ? '' : ` in ${durationMs} ms`
  const tries = attempts > 1 ? `, ${attempts} attempts` : ''
  return `${names[state]}: ${status ?? problem ?? 'no response'}${duration}${tries}`
}
