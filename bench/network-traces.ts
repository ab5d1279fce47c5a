/** How often a trace has a new throughput. */
export const TRACE_STEP_MS = 500

interface TraceModel {
  /** Typical throughput in bit/s. */
  typicalBps: number
  /** Standard deviation of its logarithm. */
  spread: number
  /** How much of a step's deviation the next one keeps, from 0 to 1. */
  inertia: number
  /** Times in which little arrives: handovers between cells, or repeated frames of Wi-Fi. */
  burst: { perStep: number; steps: number; bps: number }
}

/**
 * Lines that change: logarithms of the throughput follow an AR(1) process, as measured traces of mobile networks roughly
 * do, interrupted by bursts. The same seed gives the same trace everywhere.
 */
export const traceModels = {
  '3G': { typicalBps: 1.2e6, spread: 0.45, inertia: 0.85, burst: { perStep: 0.03, steps: 3, bps: 150e3 } },
  'LTE in motion': {
    typicalBps: 6e6,
    spread: 0.7,
    inertia: 0.8,
    burst: { perStep: 0.06, steps: 4, bps: 250e3 },
  },
  'Wi-Fi with losses': {
    typicalBps: 10e6,
    spread: 0.2,
    inertia: 0.5,
    burst: { perStep: 0.12, steps: 2, bps: 500e3 },
  },
} as const satisfies Record<string, TraceModel>

/** Throughput in bit/s at each step. */
export function makeTrace(
  { typicalBps, spread, inertia, burst }: TraceModel,
  steps: number,
  seed: number,
): number[] {
  const random = seededRandom(seed)
  let deviation = 0
  let burstSteps = 0
  return Array.from({ length: steps }, () => {
    // Twelve uniform values are nearly normal.
    const normal = Array.from({ length: 12 }, random).reduce((sum, value) => sum + value, -6)
    deviation = inertia * deviation + Math.sqrt(1 - inertia ** 2) * spread * normal
    if (burstSteps > 0) burstSteps -= 1
    else if (random() < burst.perStep) burstSteps = burst.steps
    return Math.round(burstSteps > 0 ? burst.bps : typicalBps * Math.exp(deviation))
  })
}

/** Marsaglia's xorshift of 32 bits, as numbers from 0 to 1. */
function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}
