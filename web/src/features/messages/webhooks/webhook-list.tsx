import { i18n, type MessageDescriptor } from '@lingui/core'
import { Trans } from '@lingui/react/macro'
import { msg, t } from '@lingui/core/macro'
import {
  createWebhook,
  deleteWebhook,
  listWebhookDeliveries,
  listWebhooks,
  resumeWebhook,
  testWebhook,
  type Webhook,
  type WebhookDelivery,
  type WebhookEvent,
} from '@kinora/contract/messages/webhooks.ts'
import { call } from '@kinora/contract/client.ts'
import { ownWebhookEvents, webhookEvents } from '@kinora/contract/constants.ts'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { failureMessage } from '../../../lib/forms/failure-message.ts'
import { fieldErrors, formError } from '../../../lib/forms/field-errors.ts'
import { focusFirstInvalid } from '../../../lib/forms/focus-first-invalid.ts'
import { textOf } from '../../../lib/forms/form-fields.ts'
import { formatAgeInSentence } from '../../../lib/format/age.ts'
import { sessionKeys } from '../../../lib/query-keys.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { Alert, Status } from '../../../ui/feedback/alert.tsx'
import { LoadFailure } from '../../../ui/feedback/load-failure.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { CheckGroup } from '../../../ui/forms/check-group.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { Row, RowList } from '../../../ui/row-list.tsx'
import styles from './webhook-list.module.css'

const webhooksQuery = queryOptions({
  queryKey: sessionKeys.webhooks,
  queryFn: ({ signal }) => call(listWebhooks, { signal }),
})

const eventTexts: Record<WebhookEvent, MessageDescriptor> = {
  'video.published': msg`A video was published`,
  'video.ready': msg`Processing a video has finished`,
  'video.failed': msg`Processing a video has failed`,
  'comment.created': msg`Somebody commented below a video`,
  'user.registered': msg`Somebody registered`,
  'report.created': msg`Something was reported`,
}

const refreshMs = 3000

type Change = 'test' | 'resume' | 'delete'
const endpoints = { test: testWebhook, resume: resumeWebhook, delete: deleteWebhook }
const outcomes: Record<Change, MessageDescriptor> = {
  test: msg`A test is on its way. Its outcome is in the deliveries.`,
  resume: msg`Events are sent again.`,
  delete: msg`The webhook is deleted.`,
}

/** The webhooks of the account, their deliveries, and a button that adds one. */
export function WebhookList({ isAdministrator }: { isAdministrator: boolean }) {
  const client = useQueryClient()
  const [isAdding, setAdding] = useState(false)
  const [shown, setShown] = useState<Webhook>()
  const [toDelete, setToDelete] = useState<Webhook>()
  const list = useRef<HTMLUListElement>(null)
  const { data: webhooks, isError, refetch } = useQuery(webhooksQuery)
  const change = useMutation({
    mutationFn: ({ kind, webhookId }: { kind: Change; webhookId: string }) =>
      call(endpoints[kind], { params: { webhookId } }),
    // the focused button disappears, except that of a test
    onSuccess: (_, { kind }) => kind !== 'test' && list.current?.focus(),
    onSettled: () => client.invalidateQueries(webhooksQuery),
  })
  if (isError && !webhooks)
    return <LoadFailure title={t`Could not load your webhooks`} onRetry={() => void refetch()} />
  if (!webhooks) return <Skeleton />
  return (
    <>
      <RowList ref={list} label={t`Webhooks`}>
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
              badge={pausedAt && t`Paused after failures or a reset password`}
              isAlarming
              note={`${isSite ? t`Whole site: ` : ''}${events.map((event) => i18n._(eventTexts[event])).join(' · ')}`}
              areControlsBelow
              controls={
                <>
                  <Button
                    aria-label={t`Deliveries: ${url}`}
                    onClick={() => setShown(webhook)}
                  >{t`Deliveries`}</Button>
                  {button('test', t`Send a test`)}
                  {pausedAt && button('resume', t`Resume`)}
                  <Button
                    disabled={change.isPending}
                    aria-label={t`Delete: ${url}`}
                    onClick={() => setToDelete(webhook)}
                  >{t`Delete`}</Button>
                </>
              }
            />
          )
        })}
      </RowList>
      {change.isError && <Alert>{failureMessage(change.error)}</Alert>}
      <Status>{change.isSuccess && i18n._(outcomes[change.variables.kind])}</Status>
      <Button onClick={() => setAdding(true)}>{t`Add a webhook`}</Button>
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
      {toDelete && (
        <ConfirmDialog
          title={t`Delete this webhook?`}
          confirmLabel={t`Delete`}
          onConfirm={() => change.mutate({ kind: 'delete', webhookId: toDelete._id })}
          onClose={() => setToDelete(undefined)}
        >
          <p className={styles['address']}>
            <Trans>
              Nothing more is sent to {toDelete.url}. Its secret and its deliveries are deleted, too.
            </Trans>
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
    <Dialog title={t`Add a webhook`} onClose={onClose} closesOnOutsideClick={false}>
      <form onSubmit={submit} noValidate>
        <Field
          label={t`Address`}
          name="url"
          type="url"
          placeholder="https://"
          autoComplete="off"
          error={errors['url']}
        />
        <CheckGroup legend={t`Events`} error={errors['events']}>
          {isAdministrator && (
            <label>
              <input type="checkbox" checked={isSite} onChange={({ target }) => setIsSite(target.checked)} />
              {t`Of the whole site, not only of your videos`}
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
              {i18n._(eventTexts[event])}
            </label>
          ))}
        </CheckGroup>
        <Alert>{formError(adding.error, ['url', 'events'])}</Alert>
        <DialogActions>
          <Button onClick={onClose}>{t`Cancel`}</Button>
          <Button variant="solid" type="submit" disabled={adding.isPending}>
            {adding.isPending ? t`Adding…` : t`Add`}
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
    <Dialog title={t`Webhook`} onClose={onClose} width={560}>
      <p className={styles['note']}>{url}</p>
      <p>{t`Check signatures with this secret:`}</p>
      <p className={styles['secret']}>{secret}</p>
      <h3>{t`Last deliveries`}</h3>
      {isError && !deliveries && (
        <LoadFailure title={t`Could not load the deliveries`} onRetry={() => void refetch()} />
      )}
      {!deliveries && !isError && <Skeleton />}
      {deliveries?.length === 0 && <p className={styles['note']}>{t`Nothing was sent yet.`}</p>}
      {deliveries && deliveries.length > 0 && (
        // a region that scrolls must be reachable by keyboard
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <ul className={styles['log']} tabIndex={0} aria-label={t`Last deliveries`}>
          {deliveries.map((delivery) => (
            <li key={delivery._id}>
              <b>{delivery.event}</b>
              <p className={styles['note']}>
                {describe(delivery)} · {formatAgeInSentence(delivery.createdAt, dataUpdatedAt)}
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
  if (attempts === 0) return t`Waiting, at most a minute`
  const names = { delivered: t`Delivered`, waiting: t`Waiting to try again`, failed: t`Failed` }
  const duration = durationMs === null ? '' : t` in ${durationMs} ms`
  const tries = attempts > 1 ? t`, ${attempts} attempts` : ''
  return `${names[state]}: ${status ?? problem ?? t`no response`}${duration}${tries}`
}
