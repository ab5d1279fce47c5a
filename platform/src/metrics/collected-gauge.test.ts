import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { registerCollectedGauge } from './collected-gauge.ts'

const samplesOf = async (registry: Registry) =>
  (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))

test('leaves out a gauge that cannot be read, and serves the others', async () => {
  const registry = new Registry()
  registerCollectedGauge(registry, { name: 'broken', help: 'Fails.', labelNames: [] }, () => {
    throw new Error('no value')
  })
  registerCollectedGauge(registry, { name: 'working', help: 'Works.', labelNames: ['part'] }, async () => [
    [{ part: 'free' }, 7],
  ])
  expect(await samplesOf(registry)).toEqual(['working{part="free"} 7'])
})

test('reads the value again at each scrape', async () => {
  const registry = new Registry()
  const values: number[][] = [[1], [], [2]]
  registerCollectedGauge(registry, { name: 'value', help: 'Changes.', labelNames: [] }, () =>
    (values.shift() ?? []).map((value) => [{}, value]),
  )
  expect([await samplesOf(registry), await samplesOf(registry), await samplesOf(registry)]).toEqual([
    ['value 1'],
    [],
    ['value 2'],
  ])
})
