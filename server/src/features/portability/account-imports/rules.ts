import { StoredCause } from '@kinora/contract/cause.ts'
import { portabilityErrors } from '@kinora/contract/portability/errors.ts'
import { explain, type Explanation } from '@kinora/contract/failure.ts'
import {
  type AccountImport,
  ImportReport,
  importFormats,
} from '@kinora/contract/portability/account-imports.ts'
import { storable } from '@kinora/platform/storable.ts'
import { z } from 'zod'
import type { ImportRow } from './queries.ts'

/** Problems that a report names; others are counted. */
const maxProblems = 2000
const maxNameCharacters = 200

/** Why the import of a command failed that ended before it. */
export const endedEarly = explain(portabilityErrors.commandEndedEarly)

/** Result of the import of an item. */
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
  skip(kind: string, name: string, why: Explanation, address?: string): void {
    this.count(kind, 'skipped')
    this.note(kind, name, why, address)
  }

  /** Counts items as skipped, and their problems as more than the report names. */
  skipMore(kind: string, count: number): void {
    this.count(kind, 'skipped', count)
    this.#report.moreProblems += count
  }

  /** Reports entries that a limit left out, above the problems of single items. Nothing for `entries` of 0. */
  reportLeftOut(kind: string, name: string, entries: number, limit: string): void {
    if (entries === 0) return
    const { problems } = this.#report
    const { message, reason, params } =
      entries === 1
        ? explain(portabilityErrors.entryLeftOut, { limit })
        : explain(portabilityErrors.entriesLeftOut, { count: entries, limit })
    problems.unshift({ kind, name: shown(name), reason: message, cause: { reason, params }, address: null })
    if (problems.length <= maxProblems) return
    problems.pop()
    this.#report.moreProblems += 1
  }

  /** Adds a problem with an item that is counted otherwise. */
  note(kind: string, name: string, { message, reason, params }: Explanation, address?: string): void {
    const { problems } = this.#report
    if (problems.length < maxProblems)
      problems.push({
        kind,
        name: shown(name),
        reason: message,
        cause: { reason, params },
        address: address === undefined ? null : shown(address),
      })
    else this.#report.moreProblems += 1
  }
}

/** A text that PostgreSQL can store, not too long for a list. */
const shown = (text: string) => storable(truncate(text, maxNameCharacters))

/** The first characters of a text. */
export const truncate = (text: string, maxCharacters: number): string =>
  Array.from(text.slice(0, 2 * maxCharacters))
    .slice(0, maxCharacters)
    .join('')

const Format = z.enum(importFormats).nullable()

/** The response shape of an import. */
export function toAccountImport(row: ImportRow): AccountImport {
  const { state, progress, format, failure, cause, createdAt, report } = row
  return {
    state,
    progress,
    format: Format.parse(format),
    failure,
    cause: StoredCause.parse(cause),
    createdAt: createdAt.toISOString(),
    report: ImportReport.parse(report),
  }
}

/** A URL without what differs between spellings of the same address: scheme, `www.` or `m.`, and a slash at the end. */
export const comparableAddress = (address: string): string =>
  address
    .trim()
    .replace(/^https?:\/\/(?:www\.|m\.)?/i, '')
    .replace(/\/+$/, '')

/** A date of the years 1 to 9999, which PostgreSQL and RFC 3339 can write; undefined for any other text. */
export function dateOf(text: string | null | undefined): Date | undefined {
  const date = new Date(text ?? '')
  const year = date.getUTCFullYear()
  return year >= 1 && year <= 9999 ? date : undefined
}
