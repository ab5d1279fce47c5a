import { createHmac, randomBytes } from 'node:crypto'

const secretPrefix = 'whsec_'

/** A key of signatures as receivers expect it: `whsec_` and base64 (Standard Webhooks, "Signature scheme"). */
export const newWebhookSecret = () => secretPrefix + randomBytes(32).toString('base64')

/** The headers that identify and sign a message, `https://github.com/standard-webhooks/standard-webhooks`. */
export function signedHeaders(
  secret: string,
  { id, sentAt, body }: { id: string; sentAt: Date; body: string },
): Record<string, string> {
  const timestamp = String(Math.floor(sentAt.getTime() / 1000))
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}

/** Minutes until the next attempt, after each failed one. */
const delaysMinutes = [1, 5, 30, 120, 480, 1440]

/** When to try again after so many attempts; null to give up. */
export function nextAttemptAt(attempts: number, now: Date): Date | null {
  const minutes = delaysMinutes[attempts - 1]
  return minutes === undefined ? null : new Date(now.getTime() + minutes * 60_000)
}

/** Failed attempts in a row after which a webhook is paused. */
export const failuresUntilPause = 20
