import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { newId } from '../../ids.ts'
import { chooseEncoding, compressorsOf, type Encoding, etagOf, matchesEtag } from './content-negotiation.ts'

/** No kept answer is older, whatever got lost. */
const maxAgeMs = 1000
const maxBytes = 16 * 1024 ** 2
/** Below the size of a packet, compressing gains nothing. */
const compressedFromBytes = 1400

const compressors = compressorsOf(4)

/** The JSON of an answer, as it goes out. */
export class Answer {
  readonly json: Buffer
  readonly #headers: Record<Encoding, Record<string, string>>
  readonly #etag: string
  /** Compressed forms, made when somebody first takes them. */
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

  /** The same with counts as they have grown; itself when it shows them already. */
  grownBy(growth: Growth): Answer {
    const value: unknown = JSON.parse(this.json.toString())
    return showGrowth(value, growth) ? new Answer(value) : this
  }

  /** Sends it in the smallest form that the client takes, or nothing but 304 when the client has it. */
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

/** Counts of one thing that only ever grow, by the name of the field that shows them. */
type Counts = Readonly<Record<string, number>>

/** What has grown, by `_id`. */
type Growth = ReadonlyMap<string, Counts>

interface Kept {
  answer: Answer
  /** What it shows. */
  names: ReadonlySet<string>
  madeAt: number
  /** Of what it shows; `isBehind` while the answer does not show it yet. */
  grown: Map<string, Counts>
  isBehind: boolean
}

/** An answer that is being made. */
interface Flight {
  answer: Promise<Answer>
  /** What has changed and what has grown since its beginning, which it may not have seen. */
  missed: Changes[]
  grown: Growth[]
  /** The one to begin when this one ends, for those who came after such a change. */
  next: Promise<Answer> | undefined
}

/** What has changed: `_id`s, and other names by which answers are kept. */
export type Changes = 'everything' | readonly string[]

/**
 * Answers that are the same for everybody, kept as bytes for at most a second and dropped when something they show
 * changes. However many ask at once, an answer is made once; who asks after a change never gets one begun before it.
 */
export class ReadyAnswers {
  /** Which of several web processes keeps these. */
  readonly processId = newId()
  readonly #kept = new LRUCache<string, Kept>({
    maxSize: maxBytes,
    sizeCalculation: ({ answer, names }) => 2 * answer.json.length + 100 * names.size,
    dispose: ({ names }, url) => this.#forget(url, names),
  })
  readonly #urlsByName = new Map<string, Set<string>>()
  readonly #flights = new Map<string, Flight>()
  readonly #onAsk: (isKept: boolean) => void

  /** `onAsk` is told of each question whether its answer was kept. */
  constructor(onAsk: (isKept: boolean) => void = () => {}) {
    this.#onAsk = onAsk
  }

  /** The answer kept for an address; undefined when it has to be made. */
  find(url: string): Answer | undefined {
    const kept = this.#kept.get(url)
    if (!kept || performance.now() - kept.madeAt >= maxAgeMs) return undefined
    this.#onAsk(true)
    if (kept.isBehind) {
      kept.answer = kept.answer.grownBy(kept.grown)
      kept.isBehind = false
    }
    return kept.answer
  }

  /** The answer for an address, made unless it is kept. `names` says what it is about beside the `_id`s in it. */
  async get(url: string, make: () => Promise<unknown>, names: readonly string[] = []): Promise<Answer> {
    const kept = this.find(url)
    if (kept) return kept
    const flight = this.#flights.get(url)
    if (!flight) {
      this.#onAsk(false)
      return this.#make(url, make, names)
    }
    if (flight.missed.length === 0) return flight.answer
    const again = () => this.get(url, make, names)
    flight.next ??= flight.answer.then(again, again)
    return flight.next
  }

  /** Drops what shows any of these. */
  drop(changes: Changes): void {
    if (changes.length === 0) return
    for (const { missed } of this.#flights.values()) missed.push(changes)
    if (changes === 'everything') this.#kept.clear()
    else {
      for (const name of changes) {
        for (const url of this.#urlsByName.get(name) ?? []) this.#kept.delete(url)
      }
    }
  }

  /**
   * Shows these counts from now on, wherever they are shown, unless a greater one is shown already: what was answered
   * need not be made anew. Its age stays what it is.
   */
  raise(growth: Growth): void {
    for (const { grown } of this.#flights.values()) grown.push(growth)
    for (const [id, counts] of growth) {
      for (const url of this.#urlsByName.get(id) ?? []) {
        const kept = this.#kept.peek(url)
        if (!kept) continue
        if (performance.now() - kept.madeAt >= maxAgeMs) this.#kept.delete(url)
        else if (noteGrowth(kept.grown, id, counts)) kept.isBehind = true
      }
    }
  }

  #make(url: string, make: () => Promise<unknown>, names: readonly string[]): Promise<Answer> {
    const flight: Flight = { answer: this.#fly(url, make, names), missed: [], grown: [], next: undefined }
    this.#flights.set(url, flight)
    return flight.answer
  }

  async #fly(url: string, make: () => Promise<unknown>, names: readonly string[]): Promise<Answer> {
    const madeAt = performance.now()
    try {
      const value = await make()
      const about = new Set(names)
      addIdsIn(value, about)
      const { missed = [], grown: growths = [] } = this.#flights.get(url) ?? {}
      const grown = grownOf(about, growths)
      showGrowth(value, grown)
      const fresh = new Answer(value)
      const known = this.#kept.peek(url)?.answer
      // what has not changed keeps its compressed forms
      const answer = known?.json.equals(fresh.json) ? known : fresh
      if (!missed.some((changes) => changes === 'everything' || changes.some((name) => about.has(name)))) {
        this.#keep(url, { answer, names: about, madeAt, grown, isBehind: false })
      }
      return answer
    } finally {
      this.#flights.delete(url)
    }
  }

  #keep(url: string, kept: Kept): void {
    this.#kept.set(url, kept)
    for (const name of kept.names) {
      const urls = this.#urlsByName.get(name) ?? new Set()
      this.#urlsByName.set(name, urls.add(url))
    }
  }

  #forget(url: string, names: ReadonlySet<string>): void {
    for (const name of names) {
      const urls = this.#urlsByName.get(name)
      urls?.delete(url)
      if (urls?.size === 0) this.#urlsByName.delete(name)
    }
  }
}

/** Adds every `_id` in an answer. */
function addIdsIn(value: unknown, ids: Set<string>): void {
  if (typeof value !== 'object' || value === null) return
  if ('_id' in value && typeof value._id === 'string') ids.add(value._id)
  for (const inner of Object.values(value)) addIdsIn(inner, ids)
}

/** Answers whether that was news. */
function noteGrowth(grown: Map<string, Counts>, id: string, counts: Counts): boolean {
  const known = grown.get(id) ?? {}
  const news = Object.entries(counts).filter(([name, count]) => count > (known[name] ?? 0))
  if (news.length > 0) grown.set(id, { ...known, ...Object.fromEntries(news) })
  return news.length > 0
}

/** What has grown of the things that an answer is about. */
function grownOf(about: ReadonlySet<string>, growths: readonly Growth[]): Map<string, Counts> {
  const grown = new Map<string, Counts>()
  for (const growth of growths) {
    for (const id of about) {
      const counts = growth.get(id)
      if (counts) noteGrowth(grown, id, counts)
    }
  }
  return grown
}

/** Raises the counts in an answer that are lower; answers whether there were any. */
function showGrowth(value: unknown, growth: Growth): boolean {
  if (growth.size === 0 || typeof value !== 'object' || value === null) return false
  const shown = value as Record<string, unknown>
  let isNews = false
  const counts = typeof shown['_id'] === 'string' ? growth.get(shown['_id']) : undefined
  for (const [name, count] of Object.entries(counts ?? {})) {
    const known = shown[name]
    if (typeof known !== 'number' || known >= count) continue
    shown[name] = count
    isNews = true
  }
  for (const inner of Object.values(shown)) isNews = showGrowth(inner, growth) || isNews
  return isNews
}
