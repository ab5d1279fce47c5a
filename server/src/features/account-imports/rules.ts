import { type AccountImport, ImportReport, importFormats } from '@kinora/contract/imports.ts'
import { z } from 'zod'
import type { ImportRow } from './queries.ts'

/** Problems that a report names; others are counted. */
const maxProblems = 500
const maxNameCharacters = 200

/** What an import has done with items of a kind. */
export type Outcome = 'imported' | 'present' | 'skipped'

/** A report that grows with an import. */
export class GrowingReport {
  readonly #report: ImportReport

  constructor(report: unknown) {
    this.#report = ImportReport.parse(report)
  }

  get current(): ImportReport {
    return this.#report
  }

  /** Counts items; `by` may be 0. */
  count(kind: string, outcome: Outcome, by = 1): void {
    if (by === 0) return
    let found = this.#report.counts.find((count) => count.kind === kind)
    if (!found) {
      found = { kind, imported: 0, present: 0, skipped: 0 }
      this.#report.counts.push(found)
    }
    found[outcome] += by
  }

  /** Counts an item as skipped, with the reason. */
  skip(kind: string, name: string, reason: string): void {
    this.count(kind, 'skipped')
    this.note(kind, name, reason)
  }

  /** Adds a problem with an item that is counted otherwise. */
  note(kind: string, name: string, reason: string): void {
    const { problems } = this.#report
    if (problems.length < maxProblems) problems.push({ kind, name: cut(name, maxNameCharacters), reason })
    else this.#report.moreProblems += 1
  }
}

/** The first characters of a text. */
export const cut = (text: string, maxCharacters: number): string =>
  Array.from(text.slice(0, 2 * maxCharacters))
    .slice(0, maxCharacters)
    .join('')

const Format = z.enum(importFormats).nullable()

/** The response shape of an import. */
export function toAccountImport(row: ImportRow): AccountImport {
  const { state, progress, format, failure, createdAt, report } = row
  return {
    state,
    progress,
    format: Format.parse(format),
    failure,
    createdAt: createdAt.toISOString(),
    report: ImportReport.parse(report),
  }
}

/** Items in groups of at most `size`. */
export function chunksOf<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  )
}
