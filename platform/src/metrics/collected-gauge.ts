import { Gauge, type LabelValues, type Registry } from 'prom-client'

/** A gauge that is read at each scrape, and left out when reading it fails: other metrics are still served. */
export function registerCollectedGauge<Label extends string>(
  registry: Registry,
  options: { name: string; help: string; labelNames: readonly Label[] },
  read: () => [LabelValues<Label>, number][] | Promise<[LabelValues<Label>, number][]>,
): void {
  const gauge = new Gauge({
    ...options,
    registers: [],
    async collect() {
      const samples = await Promise.resolve()
        .then(read)
        .catch(() => [])
      this.reset()
      // reset() gives a gauge without labels the value 0
      if (options.labelNames.length === 0) this.remove()
      for (const [labels, value] of samples) this.set(labels, value)
    },
  })
  registry.registerMetric(gauge)
}
