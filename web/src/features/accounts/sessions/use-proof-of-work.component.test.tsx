import type { RegistrationChallenge } from '@kinora/contract/accounts/registrations.ts'
import { createChallenge, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import { afterEach, expect, test, vi } from 'vitest'
import { renderHook } from 'vitest-browser-react'
import { UnsolvedError, useProofOfWork } from './use-proof-of-work.ts'

afterEach(() => vi.unstubAllGlobals())

const secrets = { hmacSignatureSecret: 'one', hmacKeySignatureSecret: 'two' }

/** Answers each call with a new challenge. Returns how many there were. */
function serveChallenges(algorithm = 'PBKDF2/SHA-256') {
  return vi.fn<typeof fetch>(async () => {
    const options = { algorithm: 'PBKDF2/SHA-256', cost: 10, counter: 60, deriveKey, ...secrets }
    const { parameters, ...rest } = await createChallenge(options)
    return Response.json({ success: true, data: { ...rest, parameters: { ...parameters, algorithm } } })
  })
}

const isRight = async (text: string) => {
  const proof = JSON.parse(text) as {
    challenge: RegistrationChallenge
    solution: { counter: number; derivedKey: string }
  }
  return (await verifySolution({ ...proof, deriveKey, ...secrets })).verified
}

test('solves one challenge in the background, and another one for the next registration', async () => {
  const requests = serveChallenges()
  vi.stubGlobal('fetch', requests)
  const { result } = await renderHook(() => useProofOfWork())
  result.current.begin()
  result.current.begin()
  await expect.poll(() => result.current.progress).toBeGreaterThan(0)
  const first = await result.current.take()
  expect(requests).toHaveBeenCalledTimes(1)
  const second = await result.current.take()
  expect(requests).toHaveBeenCalledTimes(2)
  expect(second).not.toBe(first)
  expect([await isRight(first), await isRight(second)]).toEqual([true, true])
})

test('rejects where the browser cannot solve it, and tries again', async () => {
  vi.stubGlobal('fetch', serveChallenges('PBKDF2/MD5'))
  const { result } = await renderHook(() => useProofOfWork())
  await expect(result.current.take()).rejects.toThrow(UnsolvedError)
  vi.stubGlobal('fetch', serveChallenges())
  expect(await isRight(await result.current.take())).toBe(true)
})

test('sends nothing where the site asks for none anymore', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ success: false, message: 'None' }, { status: 404 }))
  const { result } = await renderHook(() => useProofOfWork())
  expect(await result.current.take()).toBe('')
})
