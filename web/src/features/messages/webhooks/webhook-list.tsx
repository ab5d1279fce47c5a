import { i18n, type MessageDescriptor } from '@lingui/core'
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
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { textOf } from '../../../lib/forms/form-fields.ts'
import { useEndpointForm } from '../../../lib/forms/use-endpoint-form.ts'
import { formatAgeInSentence } from '../../../lib/format/age.ts'
import { accountKeys } from '../../../lib/account-keys.ts'
import { useRowAction } from '../../../lib/use-row-action.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { CheckGroup } from '../../../ui/forms/check-group.tsx'
import { EndpointForm } from '../../../ui/forms/endpoint-form.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { QuerySection } from '../../../ui/query-section.tsx'
import { RevocableList } from '../../../ui/revocable-list.tsx'
import { RowActionResult } from '../../../ui/row-action-result.tsx'
import styles from './webhook-list.module.css'

const webhooksQuery = queryOptions({
  queryKey: accountKeys.webhooks,
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

/** The webhooks of the account, their deliveries, and a button that adds one. */
export function WebhookList({ isAdministrator }: { isAdministrator: boolean }) {
  const { queryKey } = webhooksQuery
  const client = useQueryClient()
  const [isAdding, setAdding] = useState(false)
  const [shown, setShown] = useState<Webhook>()
  const test = useRowAction({
    run: ({ _id: webhookId }: Webhook) => call(testWebhook, { params: { webhookId } }),
    done: () => t`A test is on its way. Its outcome is in the deliveries.`,
    keepsButton: () => true,
    queryKey,
  })
  const resume = useRowAction({
    run: ({ _id: webhookId }: Webhook) => call(resumeWebhook, { params: { webhookId } }),
    done: () => t`Events are sent again.`,
    queryKey,
  })
  const remove = useRowAction({
    run: ({ _id: webhookId }: Webhook) => call(deleteWebhook, { params: { webhookId } }),
    confirm: (webhook) => ({
      title: t`Delete this webhook?`,
      text: t`Nothing more is sent to ${webhook.url}. Its secret and its deliveries are deleted, too.`,
      label: t`Delete`,
    }),
    done: () => t`The webhook is deleted.`,
    queryKey,
  })
  return (
    <RevocableList
      label={t`Webhooks`}
      query={useQuery(webhooksQuery)}
      failure={t`Could not load your webhooks`}
      action={remove}
      areControlsBelow
      rowOf={(webhook) => {
        const { _id: key, url, events, isSite, pausedAt } = webhook
        const names = events.map((event) => i18n._(eventTexts[event])).join(' · ')
        const button = (label: string, isDisabled: boolean, onClick: () => void) => (
          <Button disabled={isDisabled} aria-label={`${label}: ${url}`} onClick={onClick}>
            {label}
          </Button>
        )
        return {
          key,
          title: url,
          badge: pausedAt && t`Paused after failures or a reset password`,
          isAlarming: true,
          note: `${isSite ? t`Whole site: ` : ''}${names}`,
          revoke: { label: t`Delete`, name: t`Delete: ${url}` },
          controls: (
            <>
              {button(t`Deliveries`, false, () => setShown(webhook))}
              {button(t`Send a test`, test.isPending, () => test.start(webhook))}
              {pausedAt && button(t`Resume`, resume.isPending, () => resume.start(webhook))}
            </>
          ),
        }
      }}
    >
      <RowActionResult action={test} />
      <RowActionResult action={resume} />
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
      {shown && <DeliveriesDialog webhook={shown} onClose={() => setShown(undefined)} />}
    </RevocableList>
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
  const form = useEndpointForm({
    fields: ['url', 'events'],
    send: (fields) => {
      const chosen = fields.getAll('events')
      const events = webhookEvents.filter((event) => chosen.includes(event))
      return call(createWebhook, { body: { url: textOf(fields, 'url'), events, isSite } })
    },
    onSuccess: onAdded,
  })
  return (
    <Dialog title={t`Add a webhook`} onClose={onClose} closesOnOutsideClick={false}>
      <EndpointForm form={form} submit={t`Add`} pending={t`Adding…`} onCancel={onClose}>
        <Field
          label={t`Address`}
          type="url"
          placeholder="https://"
          autoComplete="off"
          {...form.field('url')}
        />
        <CheckGroup legend={t`Events`} error={form.field('events').error}>
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
      </EndpointForm>
    </Dialog>
  )
}

function DeliveriesDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { _id: webhookId, url, secret } = webhook
  const query = useQuery({
    queryKey: [...accountKeys.webhooks, webhookId],
    queryFn: ({ signal }) => call(listWebhookDeliveries, { params: { webhookId }, signal }),
    refetchInterval: refreshMs,
  })
  return (
    <Dialog title={t`Webhook`} onClose={onClose} width={560}>
      <p className={styles['note']}>{url}</p>
      <p>{t`Check signatures with this secret:`}</p>
      <p className={styles['secret']}>{secret}</p>
      <h3>{t`Last deliveries`}</h3>
      <QuerySection
        query={query}
        failure={t`Could not load the deliveries`}
        empty={<p className={styles['note']}>{t`Nothing was sent yet.`}</p>}
      >
        {(deliveries) => (
          // a region that scrolls must be reachable by keyboard
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          <ul className={styles['log']} tabIndex={0} aria-label={t`Last deliveries`}>
            {deliveries.map((delivery) => (
              <li key={delivery._id}>
                <b>{delivery.event}</b>
                <p className={styles['note']}>
                  {describe(delivery)} · {formatAgeInSentence(delivery.createdAt, query.dataUpdatedAt)}
                </p>
              </li>
            ))}
          </ul>
        )}
      </QuerySection>
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
