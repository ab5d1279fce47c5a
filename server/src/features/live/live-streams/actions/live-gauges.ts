import { registerCollectedGauge } from '@kinora/platform/metrics/collected-gauge.ts'
import type { Registry } from 'prom-client'
import type { Context } from '../../../../context/context.ts'
import { type StreamSummary, summarizeStreams } from '../queries/shown.ts'

/** Gauges of live streams, read at each scrape; without values where `LIVE` is not set. They are the same in all processes. */
export function registerLiveGauges(
  registry: Registry,
  { config, db, clock }: Pick<Context, 'config' | 'db' | 'clock'>,
): void {
  let reading: Promise<StreamSummary> | undefined
  // one read for all gauges of a scrape
  const summary = async () => {
    if (!config.live) return undefined
    reading ??= summarizeStreams(db, clock.now()).finally(() => (reading = undefined))
    return reading
  }
  registerCollectedGauge(
    registry,
    {
      name: 'kinora_live_streams',
      help: 'Live streams, by state: connected, or waiting for their connection.',
      labelNames: ['state'],
    },
    async () => {
      const streams = await summary()
      if (!streams) return []
      return [
        [{ state: 'connected' }, streams.connected],
        [{ state: 'waiting' }, streams.waiting],
      ]
    },
  )
  const values = {
    viewers: ['kinora_live_viewers', 'Viewers of live streams.'],
    bitsPerSecond: ['kinora_live_received_bits_per_second', 'Bitrate of all live streams.'],
    lateSeconds: ['kinora_live_late_seconds', 'Delay of the live stream whose frames arrive latest.'],
    pieceSeconds: [
      'kinora_live_piece_waiting_seconds',
      'Waiting time of the oldest piece of a stream from a browser: of the ingest process, usually less than a second.',
    ],
  } as const
  for (const key of ['viewers', 'bitsPerSecond', 'lateSeconds', 'pieceSeconds'] as const) {
    const [name, help] = values[key]
    registerCollectedGauge(registry, { name, help, labelNames: [] }, async () => {
      const streams = await summary()
      return streams ? [[{}, streams[key]]] : []
    })
  }
}
