import { proofOfWorkMaxCounter } from '@kinora/contract/accounts/proof-of-work.ts'
import type { RegistrationChallenge } from '@kinora/contract/accounts/registrations.ts'
import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import type { SolverMessage } from './use-proof-of-work.ts'

/** Tries between two messages about the progress. */
const triesPerMessage = 20

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker sends to the page that started it
const send = (message: SolverMessage) => self.postMessage(message)

self.addEventListener('message', ({ data }: MessageEvent<RegistrationChallenge>) => {
  // an error of a promise would not reach the page
  solve(data).then(send, () => send({ failed: true }))
})

async function solve(challenge: RegistrationChallenge): Promise<SolverMessage> {
  let tries = 0
  const solution = await solveChallenge({
    challenge,
    counterStart: 1,
    timeout: 10 * 60_000,
    deriveKey: (...input) => {
      tries += 1
      if (tries % triesPerMessage === 0) send({ progress: tries / proofOfWorkMaxCounter })
      return deriveKey(...input)
    },
  })
  return solution ? { solution } : { failed: true }
}
