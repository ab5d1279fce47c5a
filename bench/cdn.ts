/**
 * Simulates the caches of a CDN in front of a site, and what the CDN costs. Everything that is assumed is in this file.
 * `npm run bench -- cdn` writes the results and prints the tables.
 */
export const assumptions = {
  viewers: 100_000,
  videos: 100_000,
  /**
   * Requests for a video are proportional to rank^-exponent. Measured exponents: 0.56 for YouTube on a campus (Gill et al. 2007),
   * 0.64 to 0.83 for pages (Breslau et al. 1999), about 1 for the top of YouTube (Cha et al. 2007).
   */
  exponent: 0.8,
  videoMinutes: 20,
  /** Mean time until a viewer leaves a video, from its begin; nobody watches beyond the end. */
  leaveMinutes: 12,
  /** Bit rates with audio, and how often each is chosen. Most viewers are not at the highest quality. */
  renditions: [
    { lines: 1080, bitsPerSecond: 4_500_000, share: 0.25 },
    { lines: 720, bitsPerSecond: 2_500_000, share: 0.4 },
    { lines: 480, bitsPerSecond: 1_200_000, share: 0.25 },
    { lines: 240, bitsPerSecond: 400_000, share: 0.1 },
  ],
  /** Places of the CDN, among which viewers are spread evenly, and the part of each cache that one customer gets. */
  edges: 20,
  edgeTerabytes: 10,
  /** A second cache between the edges and the site ("origin shield", "tiered cache"). */
  shieldTerabytes: 100,
  warmUpHours: 2,
  measuredHours: 0.5,
  /** Requests of a viewer in an hour that a CDN answers: segments of four seconds of video and audio; playlists; pictures. */
  requestsPerHour: { segments: 2 * 900, playlists: 18, pictures: 72 },
  /** As in `scaling.ts`: a day is busy for a third of its hours. */
  busyShare: 1 / 3,
  hoursOfMonth: 730,
  seed: 1,
}
type Assumptions = typeof assumptions

/** Simulated cases: the assumptions, then with one of them changed. The costs are those of the first one. */
export const cases: Partial<Assumptions>[] = [
  {},
  { exponent: 0.6 },
  { exponent: 1 },
  { edgeTerabytes: 1, shieldTerabytes: 10 },
]

interface Provider {
  name: string
  /** When the price list was read, and where. */
  read: string
  address: string
  /** Dollars per gigabyte by volume of a month, North America and Europe: up to so many terabytes; the last step goes on. */
  tiers: [upToTerabytes: number, dollarsPerGigabyte: number][]
  dollarsPerMillionRequests: number
  /** Dollars per gigabyte that the CDN fetches from the site. */
  fillDollarsPerGigabyte: number
}

const providers: Provider[] = [
  {
    name: 'Amazon CloudFront',
    read: '2026-11-24, copy of the price list',
    address: 'https://aws.amazon.com/cloudfront/pricing',
    tiers: [
      [10, 0.085],
      [50, 0.08],
      [150, 0.06],
      [500, 0.04],
      [1024, 0.03],
      [5120, 0.025],
      [Infinity, 0.02],
    ],
    dollarsPerMillionRequests: 1,
    fillDollarsPerGigabyte: 0,
  },
  {
    name: 'Google Cloud CDN',
    read: '2026-11-24, copy of the price list; above 500 TB by agreement, here the last list price',
    address: 'https://cloud.google.com/cdn/pricing',
    tiers: [
      [10, 0.08],
      [150, 0.055],
      [500, 0.03],
      [Infinity, 0.02],
    ],
    dollarsPerMillionRequests: 0.75,
    fillDollarsPerGigabyte: 0.01,
  },
  {
    name: 'bunny.net, volume network',
    read: '2026-11-24, quoted by others; above 2 PB by agreement, here the last list price',
    address: 'https://bunny.net/pricing/cdn/',
    tiers: [
      [500, 0.005],
      [1000, 0.004],
      [Infinity, 0.002],
    ],
    dollarsPerMillionRequests: 0,
    fillDollarsPerGigabyte: 0,
  },
]

export interface Simulated {
  exponent: number
  edgeTerabytes: number
  shieldTerabytes: number
  /** Shares of the bytes that viewers get. */
  edgeHits: number
  /** Of edges and shield together. */
  shieldHits: number
  averageBitsPerSecond: number
}

/**
 * A cache that forgets what was not used for a long time: of two generations of half its size, the older one goes when the newer
 * one is full. Close to LRU, and independent of the number of entries.
 */
class Cache {
  readonly #generationBytes: number
  #newer = new Set<number>()
  #older = new Set<number>()
  #bytes = 0

  constructor(maxBytes: number) {
    this.#generationBytes = maxBytes / 2
  }

  /** Returns whether the entry is there, and keeps it. */
  use(key: number, bytes: number): boolean {
    if (this.#newer.has(key)) return true
    const isHit = this.#older.has(key)
    this.#newer.add(key)
    this.#bytes += bytes
    if (this.#bytes > this.#generationBytes) {
      this.#older = this.#newer
      this.#newer = new Set()
      this.#bytes = 0
    }
    return isHit
  }
}

/** Numbers between 0 and 1, the same ones for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Draws an index in proportion to its weight. */
function drawer(weights: readonly number[], random: () => number): () => number {
  let sum = 0
  const sums = Float64Array.from(weights, (weight) => (sum += weight))
  return () => {
    const wanted = random() * sum
    let [low, high] = [0, sums.length - 1]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((sums[middle] ?? 0) > wanted) high = middle
      else low = middle + 1
    }
    return low
  }
}

/**
 * Simulates viewers minute by minute: each picks a video by its popularity and a rendition, and watches from the begin until it
 * leaves. A minute of a rendition is one entry of a cache.
 */
export function simulate(changed: Partial<Assumptions> = {}): Simulated {
  const given = { ...assumptions, ...changed }
  const { videos, exponent, videoMinutes, leaveMinutes, renditions, edges, edgeTerabytes, shieldTerabytes } =
    given
  const random = randomOf(given.seed)
  const drawVideo = drawer(
    Array.from({ length: videos }, (_, rank) => (rank + 1) ** -exponent),
    random,
  )
  const drawRendition = drawer(
    renditions.map(({ share }) => share),
    random,
  )
  const caches = Array.from({ length: edges }, () => new Cache(edgeTerabytes * 1e12))
  const shield = new Cache(shieldTerabytes * 1e12)
  const run = (minutes: number) => {
    const served = { minutes: 0, bytes: 0, edgeHits: 0, shieldHits: 0 }
    while (served.minutes < minutes) {
      const video = drawVideo()
      const rendition = drawRendition()
      const bytes = ((renditions[rendition]?.bitsPerSecond ?? 0) / 8) * 60
      const edge = caches[Math.floor(random() * edges)]
      const watched = Math.ceil(-Math.log(1 - random()) * leaveMinutes)
      for (let minute = 0; minute < Math.min(watched, videoMinutes); minute += 1) {
        const key = (video * renditions.length + rendition) * videoMinutes + minute
        served.minutes += 1
        served.bytes += bytes
        if (edge?.use(key, bytes)) served.edgeHits += bytes
        else if (shield.use(key, bytes)) served.shieldHits += bytes
      }
    }
    return served
  }
  run(given.viewers * 60 * given.warmUpHours)
  const { minutes, bytes, edgeHits, shieldHits } = run(given.viewers * 60 * given.measuredHours)
  return {
    exponent,
    edgeTerabytes,
    shieldTerabytes,
    edgeHits: edgeHits / bytes,
    shieldHits: (edgeHits + shieldHits) / bytes,
    averageBitsPerSecond: (bytes * 8) / (minutes * 60),
  }
}

const { viewers, requestsPerHour, busyShare, hoursOfMonth } = assumptions
const requests = requestsPerHour.segments + requestsPerHour.playlists + requestsPerHour.pictures

/** Dollars of a month for so many gigabytes, by the steps of a price list. */
export function transferDollars(tiers: Provider['tiers'], gigabytes: number): number {
  let [dollars, from] = [0, 0]
  for (const [upToTerabytes, price] of tiers) {
    const upTo = Math.min(gigabytes, upToTerabytes * 1000)
    dollars += Math.max(0, upTo - from) * price
    from = Math.max(from, upTo)
  }
  return dollars
}

/** Returns hit ratios and costs as tables in Markdown. */
export function cdnTables(results: readonly Simulated[]): string {
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`
  const gigabits = (bits: number) => ((viewers * bits) / 1e9).toFixed(1)
  const hits = results.map(({ exponent, edgeTerabytes, shieldTerabytes, ...result }) => {
    const { edgeHits, shieldHits, averageBitsPerSecond: bits } = result
    return [
      exponent.toFixed(1),
      `${edgeTerabytes} TB, ${shieldTerabytes} TB`,
      percent(edgeHits),
      gigabits(bits * (1 - edgeHits)),
      percent(shieldHits),
      gigabits(bits * (1 - shieldHits)),
      Math.round((viewers * requests * (1 - shieldHits)) / 3600).toLocaleString('en'),
    ]
  })
  const [used] = results
  if (!used) throw new Error('Nothing was simulated')
  const hours = hoursOfMonth * busyShare
  const gigabytes = (viewers * used.averageBitsPerSecond * 3600 * hours) / 8e9
  const monthlyRequests = viewers * requests * hours
  const costs = providers.map(({ name, tiers, dollarsPerMillionRequests, fillDollarsPerGigabyte }) => {
    const parts = [
      transferDollars(tiers, gigabytes),
      (monthlyRequests / 1e6) * dollarsPerMillionRequests,
      gigabytes * (1 - used.shieldHits) * fillDollarsPerGigabyte,
    ]
    const sum = parts.reduce((total, part) => total + part, 0)
    const perHour = (100 * sum) / (viewers * hours)
    return [name, ...[...parts, sum].map((part) => Math.round(part).toLocaleString('en')), perHour.toFixed(2)]
  })
  return [
    table(
      [
        'exponent',
        'edge, shield',
        'edges hit',
        'behind them, Gbit/s',
        'with shield',
        'site, Gbit/s',
        'site, requests/s',
      ],
      hits,
    ),
    table(['provider', 'transfer, $', 'requests, $', 'fill, $', 'month, $', 'hour of a viewer, ¢'], costs),
  ].join('\n\n')
}

const table = (head: string[], rows: string[][]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
