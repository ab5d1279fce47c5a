import { portabilityErrors } from '@kinora/contract/portability/errors.ts'
import type { Context } from '../../../../context/context.ts'
import type { Db } from '../../../../context/database.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { keyOfText } from '@kinora/platform/text-key.ts'
import { addStep, countRunningImports, emptyReport, findRunningImport, type ImportRow } from '../queries.ts'
import { GrowingReport } from '../rules.ts'
import type { ArchiveReader } from '@kinora/importers/archives/archive-reader.ts'

/** Most steps of an import. Each has a transaction, so that millions of short entries would take hours. */
export const maxSteps = 100_000

/** Imports that a worker runs at once. */
export const importsAtOnce = 3

/** Time after which an import lets another one go on that waits. */
const turnMs = 60_000

/** Another import goes on before this one. */
export class TurnEnded extends Error {}

/** The import was stopped by its account, or the account was suspended or deleted. */
export class ImportStopped extends Error {}

/**
 * One run of an import. What a step does commits together with the note that it is done and with the report, so that a
 * repeated run continues after the last step.
 */
export class ImportRun {
  readonly context: Context
  readonly userId: string
  readonly signal: AbortSignal
  readonly report: GrowingReport
  readonly reader: ArchiveReader
  /** Between 0 and 1; saved with the next step. */
  progress: number
  readonly #id: string
  readonly #done: Set<string>
  readonly #usedFiles = new Set<string>()
  readonly #isJob: boolean
  readonly #startedAt: number
  #steps = 0

  /** `done` are the steps that an earlier run did, as `listSteps` returns them. */
  constructor(
    context: Context,
    row: ImportRow,
    done: ReadonlySet<string>,
    { reader, signal }: { reader: ArchiveReader; signal: AbortSignal },
  ) {
    this.context = context
    this.userId = row.userId
    this.signal = signal
    this.report = new GrowingReport(row.report)
    this.reader = reader
    this.progress = row.progress
    this.#startedAt = context.clock.now().getTime()
    // a command reads a file that was not uploaded
    this.#isJob = row.uploadId !== null
    this.#id = row.id
    this.#done = new Set(done)
  }

  /** Takes a file of the archive. Returns false for one that was taken: a small archive could name one file many times. */
  takeFile(name: string): boolean {
    if (this.#usedFiles.has(name)) return false
    this.#usedFiles.add(name)
    return true
  }

  isDone(step: string): boolean {
    return this.#done.has(keyOfText(step))
  }

  /**
   * Reads what several steps use, and saves what `read` reports. A repeated run reads it again, with a report that is thrown
   * away. Throws `ImportStopped`.
   */
  async read<Result>(name: string, read: (report: GrowingReport) => Promise<Result>): Promise<Result> {
    const isRepeated = this.isDone(name)
    const result = await read(isRepeated ? new GrowingReport(emptyReport) : this.report)
    await this.step(name, async () => undefined)
    return result
  }

  /**
   * Does a step in a transaction, unless it is done. Throws `ImportStopped`, `invalid` after `maxSteps`, or `TurnEnded`
   * before a step.
   */
  async step(name: string, work: (transaction: Db) => Promise<void>): Promise<void> {
    if (this.isDone(name)) return
    if (this.#done.size >= maxSteps) throw new AppError(portabilityErrors.tooManySteps, { limit: maxSteps })
    await this.assertRunning()
    await this.#assertTurn()
    await this.context.db.transaction().execute(async (transaction) => {
      await work(transaction)
      const { progress } = this
      if (!(await addStep(transaction, this.#id, name, { report: this.report.current, progress })))
        throw new ImportStopped()
    })
    this.#done.add(keyOfText(name))
    this.#steps += 1
  }

  async #assertTurn(): Promise<void> {
    const { clock, db } = this.context
    // Only a job can continue later. A run that ended before its first step would repeat its preparation for ever.
    if (!this.#isJob || this.#steps === 0 || clock.now().getTime() - this.#startedAt < turnMs) return
    if ((await countRunningImports(db)) > importsAtOnce) throw new TurnEnded()
  }

  /** Throws `ImportStopped`, or the reason of an abort. In a transaction, a suspension waits until it ends: keep it short. */
  async assertRunning(db: Db = this.context.db): Promise<void> {
    this.signal.throwIfAborted()
    if (!(await findRunningImport(db, this.#id))) throw new ImportStopped()
  }
}
