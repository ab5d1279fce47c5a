type Labels = Record<string, string | number>

interface Metric {
  name: string
  help: string
  type: 'counter' | 'gauge' | 'histogram'
  lines(): string[] | Promise<string[]>
}

/** Metrics in the Prometheus text format 0.0.4. */
export class MetricsRegistry {
  readonly #metrics = new Map<string, Metric>()

  /** Names end in `_total`. */
  counter(name: string, help: string): Counter {
    const counter = new Counter(name)
    this.#add({ name, help, type: 'counter', lines: () => counter.lines() })
    return counter
  }

  /** Bucket bounds are in seconds. */
  histogram(name: string, help: string, bounds: readonly number[]): Histogram {
    const histogram = new Histogram(name, bounds)
    this.#add({ name, help, type: 'histogram', lines: () => histogram.lines() })
    return histogram
  }

  /** A counter or gauge that is read at each scrape, and left out when reading it fails. */
  collect(
    name: string,
    help: string,
    type: 'counter' | 'gauge',
    read: () => number | [Labels, number][] | Promise<number | [Labels, number][]>,
  ): void {
    const lines = async () => {
      const result = await read()
      const samples: [Labels, number][] = typeof result === 'number' ? [[{}, result]] : result
      return samples.map(([labels, value]) => line(name, labels, value))
    }
    this.#add({ name, help, type, lines })
  }

  async text(): Promise<string> {
    const parts = await Promise.all(
      [...this.#metrics.values()].map(async ({ name, help, type, lines }) => {
        const samples = await Promise.resolve(lines()).catch((): string[] => [])
        return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...samples].join('\n')
      }),
    )
    return `${parts.join('\n')}\n`
  }

  #add(metric: Metric): void {
    if (this.#metrics.has(metric.name)) throw new Error(`Duplicate metric ${metric.name}`)
    this.#metrics.set(metric.name, metric)
  }
}

export class Counter {
  readonly #name: string
  readonly #values = new Map<string, number>()

  constructor(name: string) {
    this.#name = name
  }

  add(labels: Labels = {}, value = 1): void {
    const key = labelText(labels)
    this.#values.set(key, (this.#values.get(key) ?? 0) + value)
  }

  lines(): string[] {
    return [...this.#values].map(([labels, value]) => `${this.#name}${braces(labels)} ${value}`)
  }
}

export class Histogram {
  readonly #name: string
  readonly #bounds: readonly number[]
  readonly #series = new Map<string, { counts: number[]; sum: number }>()

  constructor(name: string, bounds: readonly number[]) {
    this.#name = name
    this.#bounds = bounds
  }

  observe(labels: Labels, seconds: number): void {
    const key = labelText(labels)
    const series = this.#series.get(key) ?? { counts: [...this.#bounds, Infinity].map(() => 0), sum: 0 }
    this.#series.set(key, series)
    const bucket = this.#bounds.findIndex((bound) => seconds <= bound)
    const at = bucket < 0 ? this.#bounds.length : bucket
    series.counts[at] = (series.counts[at] ?? 0) + 1
    series.sum += seconds
  }

  lines(): string[] {
    return [...this.#series].flatMap(([labels, { counts, sum }]) => {
      let total = 0
      const buckets = counts.map((count, index) => {
        total += count
        const bound = `le="${this.#bounds[index] ?? '+Inf'}"`
        return `${this.#name}_bucket${braces(labels ? `${labels},${bound}` : bound)} ${total}`
      })
      return [
        ...buckets,
        `${this.#name}_sum${braces(labels)} ${sum}`,
        `${this.#name}_count${braces(labels)} ${total}`,
      ]
    })
  }
}

const line = (name: string, labels: Labels, value: number) => `${name}${braces(labelText(labels))} ${value}`

const braces = (labels: string) => (labels ? `{${labels}}` : '')

function labelText(labels: Labels): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${escape(String(value))}"`)
    .join(',')
}

const escape = (value: string) =>
  !/[\\"\n]/.test(value)
    ? value
    : value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
