import { StoredCause } from '@kinora/contract/cause.ts'
import { portabilityErrors } from '@kinora/contract/portability/errors.ts'
import { explain, type Explanation } from '@kinora/contract/failure.ts'
import { archiveVersion } from '@kinora/contract/portability/account-archive.ts'
import {
  type AccountImport,
  ImportReport,
  importFormats,
} from '@kinora/contract/portability/account-imports.ts'
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

/** PostgreSQL cannot store U+0000 or lone surrogates. */
export const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed()

/** A text that PostgreSQL can store, not too long for a list. */
const shown = (text: string) => storable(truncate(text, maxNameCharacters))

/** The value of a JSON text, with texts that PostgreSQL can store; undefined for what is no JSON. Editors may add a byte order mark. */
export function parseStorableJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    if (typeof value === 'string') return storable(value)
    makeStorable(value)
    return value
  } catch {
    return undefined
  }
}

/** Changes the texts in a value, in a fraction of the time of a reviver. Throws for one that is nested too deeply. */
function makeStorable(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  // the entries of an array take many times its memory
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const content: unknown = value[index]
      if (typeof content === 'string') value[index] = storable(content)
      else makeStorable(content)
    }
    return
  }
  for (const [name, content] of Object.entries(value)) {
    if (typeof content !== 'string') makeStorable(content)
    else if (content.includes('\0') || !content.isWellFormed())
      // an assignment to `__proto__` would change something else
      Object.defineProperty(value, name, { value: storable(content) })
  }
}

/** Names of version 1 of the archive of an account, and what they are since. */
const formerNames: Record<string, string> = {
  title: 'name',
  fullname: 'name',
  username: 'preferredUsername',
  description: 'summary',
  about: 'summary',
  avatar: 'icon',
  cover: 'image',
  thumbnail: 'image',
  createdAt: 'published',
  updatedAt: 'updated',
  editedAt: 'updated',
  videos: 'orderedItems',
  channelId: 'id',
}

/**
 * A value of an archive of any version with the names of the present one. Version 1 has none of them with another meaning.
 * Undefined for one that is nested too deeply.
 */
export function upgraded(value: unknown): unknown {
  try {
    return renamed(value)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function renamed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(renamed)
  if (typeof value !== 'object' || value === null) return value
  const channel = 'channelId' in value ? 'preferredUsername' : 'attributedTo'
  const entries = Object.entries(value).map(([name, content]): [string, unknown] => [
    name === 'channel' ? channel : (formerNames[name] ?? name),
    name === 'version' && content === 1 ? archiveVersion : renamed(content),
  ])
  return Object.fromEntries(entries)
}

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

/** Items in groups of at most `size`. */
export function inBatches<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  )
}
