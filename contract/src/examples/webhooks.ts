import {
  createWebhook,
  deleteWebhook,
  listWebhookDeliveries,
  listWebhooks,
  resumeWebhook,
  testWebhook,
  type Webhook,
} from '../messages/webhooks.ts'
import { example } from './example.ts'

const webhook: Webhook = {
  _id: '0mf5v2k7t1x9cd',
  url: 'https://hooks.example.org/kinora',
  events: ['video.published', 'comment.created'],
  isSite: false,
  secret: 'whsec_vF3kQ0yV8dR2bN7tK1wZ4cJ9hL6pS3gA5eU0oI8yT2r=',
  createdAt: '2026-03-01T08:00:00.000Z',
  pausedAt: null,
}

export const webhookExamples = [
  example(listWebhooks, { data: [webhook] }),
  example(createWebhook, { body: { url: webhook.url, events: webhook.events }, data: webhook }),
  example(deleteWebhook, { params: { webhookId: webhook._id }, data: null }),
  example(testWebhook, { params: { webhookId: webhook._id }, data: null }),
  example(resumeWebhook, { params: { webhookId: webhook._id }, data: null }),
  example(listWebhookDeliveries, {
    params: { webhookId: webhook._id },
    data: [
      {
        _id: 'msg_4f7c1b0e9d2a4c6b8e3f5a7d9c1b2e4f',
        event: 'video.published',
        state: 'delivered',
        createdAt: '2026-03-02T08:00:00.000Z',
        attempts: 1,
        status: 204,
        problem: null,
        durationMs: 83,
      },
    ],
  }),
]
