import { wrong } from '../field-errors.ts'
import { messageErrors } from './errors.ts'
import { errors } from '../errors.ts'
import { z } from 'zod'
import { webhookEvents, webhooksPerAccount } from '../constants.ts'
import { endpoint } from '../endpoint.ts'

const auth = 'required'

const params = z.object({ webhookId: z.string().min(1).max(64) })

export const WebhookEvent = z.enum(webhookEvents)
export type WebhookEvent = z.infer<typeof WebhookEvent>

export const Webhook = z.object({
  _id: z.string(),
  url: z.string(),
  events: z.array(WebhookEvent),
  isSite: z.boolean().describe('Events of the whole site instead of the own channel.'),
  secret: z.string().describe('Key of the signature, `whsec_` and base64.'),
  createdAt: z.iso.datetime(),
  pausedAt: z.iso.datetime().nullable().describe('Set after many failures in a row; nothing is sent.'),
})
export type Webhook = z.infer<typeof Webhook>

export const WebhookDelivery = z.object({
  _id: z.string().describe('The header `webhook-id`, the same for each attempt.'),
  event: z.union([WebhookEvent, z.literal('test')]),
  state: z.enum(['waiting', 'delivered', 'failed']),
  createdAt: z.iso.datetime(),
  attempts: z.number().int(),
  status: z.number().int().nullable().describe('Status of the last response; null without one.'),
  problem: z.string().nullable().describe('Why the last attempt got no response.'),
  durationMs: z.number().int().nullable(),
})
export type WebhookDelivery = z.infer<typeof WebhookDelivery>

export const listWebhooks = endpoint({
  name: 'listWebhooks',
  tag: 'webhooks',
  summary: 'Webhooks of the caller, oldest first',
  method: 'GET',
  path: '/webhooks',
  auth,
  result: z.array(Webhook),
  message: 'Webhooks',
})

export const createWebhook = endpoint({
  name: 'createWebhook',
  tag: 'webhooks',
  summary: `Sends events to an address, as https://www.standardwebhooks.com says; at most ${webhooksPerAccount} per account`,
  method: 'POST',
  path: '/webhooks',
  auth,
  body: z.object({
    url: z.string().trim().max(2000).refine(isWebAddress, wrong(errors.invalidAddress)),
    events: z.array(WebhookEvent).min(1, wrong(messageErrors.eventRequired)),
    isSite: z.boolean().optional().describe('Needs the role of an administrator.'),
  }),
  status: 201,
  result: Webhook,
  message: 'Webhook created',
})

export const deleteWebhook = endpoint({
  name: 'deleteWebhook',
  tag: 'webhooks',
  summary: 'Deletes a webhook with its deliveries',
  method: 'DELETE',
  path: '/webhooks/:webhookId',
  auth,
  params,
  result: z.null(),
  message: 'Webhook deleted',
})

export const testWebhook = endpoint({
  name: 'testWebhook',
  tag: 'webhooks',
  summary: 'Sends an event `test`',
  method: 'POST',
  path: '/webhooks/:webhookId/test',
  auth,
  params,
  result: z.null(),
  message: 'Test queued',
})

export const resumeWebhook = endpoint({
  name: 'resumeWebhook',
  tag: 'webhooks',
  summary: 'Sends events again after a pause',
  method: 'PUT',
  path: '/webhooks/:webhookId/resumed',
  auth,
  params,
  result: z.null(),
  message: 'Webhook resumed',
})

export const listWebhookDeliveries = endpoint({
  name: 'listWebhookDeliveries',
  tag: 'webhooks',
  summary: 'The last 50 deliveries of a webhook, newest first',
  method: 'GET',
  path: '/webhooks/:webhookId/deliveries',
  auth,
  params,
  result: z.array(WebhookDelivery),
  message: 'Deliveries',
})

/** Whether a text is an address of the web without a name and password, which would be stored. */
export function isWebAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return /^https?:$/.test(protocol) && username === '' && password === ''
}
