import { startBare } from './bare.ts'
import { send, type Load } from './load.ts'
import type { Product } from './product.ts'
import { cpuSeconds } from './processes.ts'
import type { Row } from './report.ts'

const seconds = 2

export interface Question {
  question: string
  paths: string[]
  headers?: Record<string, string>
}

/** Milliseconds of CPU per request and requests per second of the product, web process and database together. */
async function measureProduct(product: Product, { question, paths, headers = {} }: Question) {
  const load: Load = { url: product.url, paths, headers, seconds }
  await send({ ...load, seconds: 1 })
  const before = product.cpuSeconds()
  const result = await send(load)
  const cpuMs = ((product.cpuSeconds() - before) * 1000) / result.requests
  const others = Object.keys(result.statuses).filter((status) => status !== '200' && status !== '304')
  if (others.length > 0) throw new Error(`${question} returned ${others.join(', ')}`)
  return { cpuMs, ...result }
}

/** CPU and throughput of a bare Fastify that sends the same bytes. */
async function measureBare(body: Buffer) {
  const bare = await startBare(body)
  const load: Load = { url: bare.url, paths: ['/'], seconds }
  await send({ ...load, seconds: 1 })
  const before = cpuSeconds([bare.pid])
  const result = await send(load)
  const cpuMs = ((cpuSeconds([bare.pid]) - before) * 1000) / result.requests
  await bare.stop()
  return { cpuMs, ...result }
}

/** Returns a row for each question: the product next to a bare Fastify that sends the same bytes. */
export async function measureReads(product: Product, videos: number, questions: Question[]): Promise<Row[]> {
  const rows: Row[] = []
  for (const question of questions) {
    const sample = await fetch(product.url + question.paths[0], {
      headers: { 'accept-encoding': 'identity' },
    })
    const body = Buffer.from(await sample.arrayBuffer())
    const kinora = await measureProduct(product, question)
    const bare = await measureBare(body.subarray(0, Math.round(kinora.bytesPerResponse)))
    rows.push({
      videos,
      question: question.question,
      'CPU ms': round(kinora.cpuMs, 3),
      'bare CPU ms': round(bare.cpuMs, 3),
      'requests/s': Math.round(kinora.requestsPerSecond),
      'bare requests/s': Math.round(bare.requestsPerSecond),
      'of bare': round(kinora.requestsPerSecond / bare.requestsPerSecond, 2),
      'p50 ms': round(kinora.p50, 2),
      'p95 ms': round(kinora.p95, 2),
      bytes: Math.round(kinora.bytesPerResponse),
    })
  }
  return rows
}

export function round(number: number, digits: number): number {
  return Math.round(number * 10 ** digits) / 10 ** digits
}

/** Returns the dataset sizes from the command line, or all three. */
export function datasetSizes(): number[] {
  const named = process.argv.slice(3).map(Number).filter(Boolean)
  return named.length > 0 ? named : [1000, 50_000, 1_000_000]
}
