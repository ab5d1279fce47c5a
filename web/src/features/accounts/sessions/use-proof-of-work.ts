import { call } from '@kinora/contract/client.ts'
import {
  getRegistrationChallenge,
  type ProofOfWork,
  type RegistrationChallenge,
} from '@kinora/contract/accounts/registrations.ts'
import { useEffect, useRef, useState } from 'react'
import type { z } from 'zod'
import { isNotFound } from '../../../lib/is-not-found.ts'

type Solution = z.infer<typeof ProofOfWork>['solution']

export type SolverMessage = { progress: number } | { solution: Solution } | { failed: true }

/** A browser that cannot solve challenges: one without workers or, at an http address, without the Web Crypto API. */
export class UnsolvedError extends Error {
  override readonly name = 'UnsolvedError'
}

/** Challenges are renewed well before they expire after half an hour. */
const renewMs = 20 * 60_000

interface Attempt {
  proof: Promise<string>
  /** By `Date.now()`. */
  endsAt: number
}

/**
 * Solves the challenge of a registration in a worker.
 *
 * - `begin` starts in the background, unless that happened already.
 * - `take` returns the solution for one registration, empty where the site needs none anymore. It throws `UnsolvedError`, or as
 *   `call` does for the challenge.
 * - `progress` runs from 0 to 1.
 */
export function useProofOfWork() {
  const [progress, setProgress] = useState(0)
  const attempt = useRef<Attempt>(undefined)
  const left = useRef(new AbortController())

  useEffect(() => {
    const controller = new AbortController()
    left.current = controller
    return () => {
      controller.abort()
      attempt.current = undefined
    }
  }, [])

  function begin(): Attempt {
    if (attempt.current && Date.now() < attempt.current.endsAt) return attempt.current
    setProgress(0)
    const started: Attempt = {
      proof: prove(setProgress, left.current.signal),
      endsAt: Date.now() + renewMs,
    }
    // the next registration tries again, and shows why if that fails too
    started.proof.catch(() => {
      if (attempt.current === started) attempt.current = undefined
    })
    attempt.current = started
    return started
  }

  function take(): Promise<string> {
    const { proof } = begin()
    // valid once: the next registration needs another
    attempt.current = undefined
    return proof
  }

  return { begin, take, progress }
}

async function prove(onProgress: (progress: number) => void, signal: AbortSignal): Promise<string> {
  try {
    const challenge: RegistrationChallenge = await call(getRegistrationChallenge, { signal })
    return JSON.stringify({ challenge, solution: await solve(challenge, onProgress, signal) })
  } catch (error) {
    if (isNotFound(error)) return ''
    throw error
  }
}

async function solve(
  challenge: RegistrationChallenge,
  onProgress: (progress: number) => void,
  signal: AbortSignal,
): Promise<Solution> {
  const worker = new Worker(new URL('./proof-of-work-worker.ts', import.meta.url), { type: 'module' })
  try {
    return await new Promise<Solution>((resolve, reject) => {
      worker.addEventListener('message', ({ data }: MessageEvent<SolverMessage>) => {
        if ('progress' in data) onProgress(data.progress)
        else if ('solution' in data) resolve(data.solution)
        else reject(new UnsolvedError())
      })
      worker.addEventListener('error', () => reject(new UnsolvedError()))
      signal.addEventListener('abort', () => reject(signal.reason as Error))
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- only windows have origins
      worker.postMessage(challenge)
    })
  } finally {
    worker.terminate()
  }
}
