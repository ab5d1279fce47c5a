import { setTimeout as delay } from 'node:timers/promises'
import type { Lock, Locker } from '@tus/server'
import type { Context } from '../../../../context/context.ts'
import { continuedElsewhere } from '../rules.ts'
import { uploadWanted } from '../topics.ts'

type LockContext = Pick<Context, 'db' | 'locks' | 'pubsub'>

/** A request that was asked to end does so after the chunk that it is writing. */
const patienceMs = 30_000
const retryMs = 50

/**
 * One request per upload, across web processes: the holder of an upload's lock is asked to end when another request wants it.
 * The lock outlasts every write to the file, so that nobody writes to an upload that was opened for publication.
 */
export class UploadLocker implements Locker {
  readonly #context: LockContext
  /** How to end the requests of this process that hold a lock. */
  readonly #endHolder = new Map<string, () => unknown>()

  constructor(context: LockContext) {
    this.#context = context
  }

  newLock(id: string): Lock {
    return {
      lock: (stopped, endThis) => this.#acquire(id, stopped, endThis),
      unlock: () => this.#release(id),
    }
  }

  /** Ends the request of this process that holds the lock of an upload, if there is one. */
  end(id: string): void {
    this.#endHolder.get(id)?.()
  }

  /** Runs `work` while no request writes to an upload. Throws `conflict` if one does not end in time. */
  async hold<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
    await this.#acquire(id, new AbortController().signal, () => undefined)
    try {
      return await work()
    } finally {
      await this.#release(id)
    }
  }

  /** Runs `work` unless a request continues the upload. */
  async tryHold(id: string, work: () => Promise<void>): Promise<void> {
    if (this.#endHolder.has(id) || !(await this.#take(id, () => undefined))) return
    try {
      await work()
    } finally {
      await this.#release(id)
    }
  }

  /** Whether the lock that this process took was not lost with its connection to the database. */
  isHeld(id: string): boolean {
    return this.#context.locks.isHeld(lockOf(id))
  }

  /** Takes a lost lock again; false if another request has it. */
  takeAgain(id: string): Promise<boolean> {
    return this.#context.locks.take(lockOf(id))
  }

  async #acquire(id: string, stopped: AbortSignal, endThis: () => unknown): Promise<void> {
    const { db, pubsub } = this.#context
    const startedMs = performance.now()
    for (let attempt = 0; ; attempt += 1) {
      if (stopped.aborted || performance.now() - startedMs > patienceMs) throw continuedElsewhere()
      if (this.#endHolder.has(id)) this.end(id)
      else if (await this.#take(id, endThis)) return
      // repeated, because a message is lost while a process has no connection
      else if (attempt % 20 === 0) await pubsub.publish(db, uploadWanted, id)
      await delay(retryMs)
    }
  }

  async #take(id: string, endThis: () => unknown): Promise<boolean> {
    this.#endHolder.set(id, endThis)
    let isTaken = false
    try {
      isTaken = await this.#context.locks.take(lockOf(id))
    } finally {
      if (!isTaken) this.#endHolder.delete(id)
    }
    return isTaken
  }

  async #release(id: string): Promise<void> {
    await this.#context.locks.release(lockOf(id))
    this.#endHolder.delete(id)
  }
}

const lockOf = (id: string) => `upload ${id}`
