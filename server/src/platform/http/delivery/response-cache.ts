import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { newId } from '../../ids.ts'
import { chooseEncoding, compressorsOf, type Encoding, etagOf, matchesEtag } from './content-negotiation.ts'

/** Upper bound of staleness when a notification is lost. */
const maxAgeMs = 1000
const maxBytes = 16 * 1024 ** 2
/** Below the size of a packet, compressing gains nothing. */
const compressedFromBytes = 1400

const compressors = compressorsOf(4)

/** A JSON response body with its headers and its compressed forms. */
export class CachedResponse {
  readonly json: Buffer
  readonly #headers: Record<Encoding, Record<string, string>>
  readonly #etag: string
  /** Compressed on the first request for each encoding. */
  readonly #bodies: Partial<Record<Encoding, Buffer | Promise<Buffer>>>

  constructor(value: unknown) {
    this.json = Buffer.from(JSON.stringify(value))
    this.#etag = etagOf(this.json)
    this.#bodies = { identity: this.json }
    const common = {
      'cache-control': 'private, no-cache',
      'content-type': 'application/json; charset=utf-8',
      vary: 'accept-encoding',
      etag: this.#etag,
    }
    this.#headers = {
      identity: common,
      br: { ...common, 'content-encoding': 'br' },
      gzip: { ...common, 'content-encoding': 'gzip' },
    }
  }

  /** Returns a copy that shows the updated counters, or itself where nothing differs. */
  withCounters(updates: CounterUpdates, idField: string): CachedResponse {
    const value: unknown = JSON.parse(this.json.toString())
    return applyUpdates(value, updates, idField) ? new CachedResponse(value) : this
  }

  /** Sends 304 when the client's `If-None-Match` matches, otherwise the body in the best accepted encoding. */
  send(request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply> {
    const { 'accept-encoding': accepted, 'if-none-match': known } = request.headers
    if (known !== undefined && matchesEtag(known, this.#etag)) {
      return reply.code(304).headers(this.#headers.identity).send()
    }
    const encoding =
      accepted === undefined || this.json.length < compressedFromBytes
        ? 'identity'
        : chooseEncoding(accepted, compressors)
    const body = this.#body(encoding)
    reply.headers(this.#headers[encoding])
    return Buffer.isBuffer(body) ? reply.send(body) : body.then((bytes) => reply.send(bytes))
  }

  #body(encoding: Encoding): Buffer | Promise<Buffer> {
    const known = this.#bodies[encoding]
    if (known || encoding === 'identity') return known ?? this.json
    const made = compressors[encoding](this.json).then((bytes) => (this.#bodies[encoding] = bytes))
    this.#bodies[encoding] = made
    return made
  }
}

/** Counters that only grow, by the name of the response field that shows them. */
type Counts = Readonly<Record<string, number>>

/** New values of counters, by id. */
type CounterUpdates = ReadonlyMap<string, Counts>

interface CacheEntry {
  response: CachedResponse
  /** Ids and other names whose change invalidates the entry. */
  names: ReadonlySet<string>
  createdAt: number
  /** Newest counters; `isBehind` while `response` does not show them yet. */
  counters: Map<string, Counts>
  isBehind: boolean
}

/** A response that is being built. */
interface PendingResponse {
  response: Promise<CachedResponse>
  /** Received since the build began; it may have read older rows. */
  invalidations: Invalidation[]
  counters: CounterUpdates[]
  /** The build to begin after this one, for requests that arrived after an invalidation. */
  next: Promise<CachedResponse> | undefined
}

/** Ids and other names of what changed. */
export type Invalidation = 'everything' | readonly string[]

/**
 * Cache of responses that do not depend on the viewer. Entries live for at most a second and are invalidated when
 * something they show changes. Concurrent requests share one build (single flight); a request that arrives after an
 * invalidation never gets a response whose build began before it.
 */
export class ResponseCache {
  /** Identifies the process in the `wrote` cookie. */
  readonly processId = newId()
  readonly #entries = new LRUCache<string, CacheEntry>({
    maxSize: maxBytes,
    sizeCalculation: ({ response, names }) => 2 * response.json.length + 100 * names.size,
    dispose: ({ names }, url) => this.#removeFromIndex(url, names),
  })
  readonly #urlsByName = new Map<string, Set<string>>()
  readonly #pending = new Map<string, PendingResponse>()
  readonly #idField: string
  readonly #onRequest: (isHit: boolean) => void

  /** `idField` holds the id of an object in a response. `onRequest` is called for each lookup. */
  constructor(idField: string, onRequest: (isHit: boolean) => void = () => {}) {
    this.#idField = idField
    this.#onRequest = onRequest
  }

  /** Returns the entry of a URL; undefined when there is none that is fresh. */
  find(url: string): CachedResponse | undefined {
    const entry = this.#entries.get(url)
    if (!entry || performance.now() - entry.createdAt >= maxAgeMs) return undefined
    this.#onRequest(true)
    if (entry.isBehind) {
      entry.response = entry.response.withCounters(entry.counters, this.#idField)
      entry.isBehind = false
    }
    return entry.response
  }

  /** Returns the entry of a URL or builds it. `names` invalidate it in addition to the ids in the response. */
  async get(
    url: string,
    make: () => Promise<unknown>,
    names: readonly string[] = [],
  ): Promise<CachedResponse> {
    const entry = this.find(url)
    if (entry) return entry
    const pending = this.#pending.get(url)
    if (!pending) {
      this.#onRequest(false)
      return this.#make(url, make, names)
    }
    if (pending.invalidations.length === 0) return pending.response
    const again = () => this.get(url, make, names)
    pending.next ??= pending.response.then(again, again)
    return pending.next
  }

  invalidate(changes: Invalidation): void {
    if (changes.length === 0) return
    for (const { invalidations } of this.#pending.values()) invalidations.push(changes)
    if (changes === 'everything') this.#entries.clear()
    else {
      for (const name of changes) {
        for (const url of this.#urlsByName.get(name) ?? []) this.#entries.delete(url)
      }
    }
  }

  /**
   * Patches counters in cached responses, so that counting does not invalidate every list. Lower
   * values are ignored. The age of an entry stays the same.
   */
  applyCounters(updates: CounterUpdates): void {
    for (const { counters } of this.#pending.values()) counters.push(updates)
    for (const [id, counts] of updates) {
      for (const url of this.#urlsByName.get(id) ?? []) {
        const entry = this.#entries.peek(url)
        if (!entry) continue
        if (performance.now() - entry.createdAt >= maxAgeMs) this.#entries.delete(url)
        else if (mergeCounters(entry.counters, id, counts)) entry.isBehind = true
      }
    }
  }

  #make(url: string, make: () => Promise<unknown>, names: readonly string[]): Promise<CachedResponse> {
    const pending: PendingResponse = {
      response: this.#load(url, make, names),
      invalidations: [],
      counters: [],
      next: undefined,
    }
    this.#pending.set(url, pending)
    return pending.response
  }

  async #load(url: string, make: () => Promise<unknown>, names: readonly string[]): Promise<CachedResponse> {
    const createdAt = performance.now()
    try {
      const value = await make()
      const about = new Set(names)
      addIdsIn(value, about, this.#idField)
      const { invalidations = [], counters: updates = [] } = this.#pending.get(url) ?? {}
      const counters = countersOf(about, updates)
      applyUpdates(value, counters, this.#idField)
      const fresh = new CachedResponse(value)
      const known = this.#entries.peek(url)?.response
      // an unchanged response keeps its compressed forms
      const response = known?.json.equals(fresh.json) ? known : fresh
      if (
        !invalidations.some((changes) => changes === 'everything' || changes.some((name) => about.has(name)))
      ) {
        this.#store(url, { response, names: about, createdAt, counters, isBehind: false })
      }
      return response
    } finally {
      this.#pending.delete(url)
    }
  }

  #store(url: string, entry: CacheEntry): void {
    this.#entries.set(url, entry)
    for (const name of entry.names) {
      const urls = this.#urlsByName.get(name) ?? new Set()
      this.#urlsByName.set(name, urls.add(url))
    }
  }

  #removeFromIndex(url: string, names: ReadonlySet<string>): void {
    for (const name of names) {
      const urls = this.#urlsByName.get(name)
      urls?.delete(url)
      if (urls?.size === 0) this.#urlsByName.delete(name)
    }
  }
}

function addIdsIn(value: unknown, ids: Set<string>, idField: string): void {
  if (typeof value !== 'object' || value === null) return
  const id = (value as Record<string, unknown>)[idField]
  if (typeof id === 'string') ids.add(id)
  for (const inner of Object.values(value)) addIdsIn(inner, ids, idField)
}

/** Returns whether a counter rose. */
function mergeCounters(counters: Map<string, Counts>, id: string, counts: Counts): boolean {
  const known = counters.get(id) ?? {}
  const raised = Object.entries(counts).filter(([name, count]) => count > (known[name] ?? 0))
  if (raised.length > 0) counters.set(id, { ...known, ...Object.fromEntries(raised) })
  return raised.length > 0
}

function countersOf(about: ReadonlySet<string>, updates: readonly CounterUpdates[]): Map<string, Counts> {
  const counters = new Map<string, Counts>()
  for (const update of updates) {
    for (const id of about) {
      const counts = update.get(id)
      if (counts) mergeCounters(counters, id, counts)
    }
  }
  return counters
}

/** Raises lower counters in place. Returns whether there were any. */
function applyUpdates(value: unknown, updates: CounterUpdates, idField: string): boolean {
  if (updates.size === 0 || typeof value !== 'object' || value === null) return false
  const shown = value as Record<string, unknown>
  let isChanged = false
  const id = shown[idField]
  const counts = typeof id === 'string' ? updates.get(id) : undefined
  for (const [name, count] of Object.entries(counts ?? {})) {
    const known = shown[name]
    if (typeof known !== 'number' || known >= count) continue
    shown[name] = count
    isChanged = true
  }
  for (const inner of Object.values(shown)) isChanged = applyUpdates(inner, updates, idField) || isChanged
  return isChanged
}
