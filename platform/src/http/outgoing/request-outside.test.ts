import { expect, test } from 'vitest'
import { getOutside, isNotPublic, postOutside } from './request-outside.ts'

const signal = AbortSignal.timeout(60_000)

// the services that give machines of clouds their passwords, some of them in public ranges
test.each([
  '168.63.129.16',
  '100.100.100.200',
  '169.254.169.254',
  '192.0.0.192',
  '[fd00:ec2::254]',
  '[64:ff9b::a83f:8110]',
  '[::ffff:168.63.129.16]',
])('reaches no metadata of a cloud at %s', async (host) => {
  const options = { headers: {}, allowedAddresses: [], signal }
  const refusals = [
    getOutside(`http://${host}/`, options),
    postOutside(`http://${host}/`, { ...options, body: '' }),
  ]
  for (const refusal of refusals)
    expect(isNotPublic(await refusal.catch((error: unknown) => error))).toBe(true)
})
