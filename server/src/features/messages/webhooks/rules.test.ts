import { expect, test } from 'vitest'
import { newWebhookSecret, nextAttemptAt, signedHeaders } from './rules.ts'

test('signs like the reference implementation', () => {
  // test vector of https://github.com/standard-webhooks/standard-webhooks
  const message = {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    sentAt: new Date(1_614_265_330_000),
    body: '{"test": 2432232314}',
  }
  expect(signedHeaders('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', message)).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})

test('a secret has 32 random bytes', () => {
  expect(Buffer.from(newWebhookSecret().slice('whsec_'.length), 'base64')).toHaveLength(32)
})

test('tries seven times within two days', () => {
  const now = new Date(0)
  expect(nextAttemptAt(1, now)).toEqual(new Date(60_000))
  expect(nextAttemptAt(6, now)).toEqual(new Date(24 * 3600_000))
  expect(nextAttemptAt(7, now)).toBeNull()
})
