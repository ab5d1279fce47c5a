/** Fields of an H.264 sequence parameter set that describe its pictures. */
export interface AvcSps {
  profile: string
  /** After cropping. */
  width: number
  height: number
  /** Of ISO/IEC 23091-2; undefined where the set states none. */
  colors: { primaries: number; transfer: number; matrix: number } | undefined
}

/** Profiles whose pictures have eight bits, and 4:2:0 unless they state something else. */
const profiles: Readonly<Record<number, string>> = { 66: 'Baseline', 77: 'Main', 100: 'High' }

/**
 * Reads a sequence parameter set (ITU-T H.264, 7.3.2.1.1). Undefined for all but progressive pictures with square pixels,
 * eight bits in 4:2:0 and the limited range.
 */
export function readAvcSps(unit: Uint8Array): AvcSps | undefined {
  const [, profileId = 0, constraints = 0] = unit
  const profile =
    profileId === 66 && (constraints & 0x40) !== 0 ? 'Constrained Baseline' : profiles[profileId]
  if (profile === undefined) return undefined
  const bits = new BitReader(withoutEmulation(unit.subarray(4)))
  bits.exponential()
  if (profileId === 100) {
    const [chromaFormat, lumaDepth, chromaDepth] = [
      bits.exponential(),
      bits.exponential(),
      bits.exponential(),
    ]
    const [isLossless, hasMatrix] = [bits.read(1), bits.read(1)]
    if (chromaFormat !== 1 || lumaDepth + chromaDepth + isLossless + hasMatrix > 0) return undefined
  }
  bits.exponential()
  const orderType = bits.exponential()
  if (orderType === 0) bits.exponential()
  else if (orderType === 1) return undefined
  bits.exponential()
  bits.read(1)
  const columns = bits.exponential() + 1
  const rows = bits.exponential() + 1
  const isProgressive = bits.read(1) === 1
  bits.read(1)
  const [left, right, top, bottom] = bits.read(1)
    ? [bits.exponential(), bits.exponential(), bits.exponential(), bits.exponential()]
    : [0, 0, 0, 0]
  const usage = bits.read(1) ? readUsage(bits) : { colors: undefined }
  if (!isProgressive || !usage || bits.isExhausted) return undefined
  return {
    profile,
    width: columns * 16 - 2 * (left + right),
    height: rows * 16 - 2 * (top + bottom),
    colors: usage.colors,
  }
}

/** Video usability information (annex E) up to the colors; undefined for other pixels than square ones, and the full range. */
function readUsage(bits: BitReader): Pick<AvcSps, 'colors'> | undefined {
  if (bits.read(1)) {
    const aspect = bits.read(8)
    const isSquare = aspect <= 1 || (aspect === 255 && bits.read(16) === bits.read(16))
    if (!isSquare) return undefined
  }
  if (bits.read(1)) bits.read(1)
  if (!bits.read(1)) return { colors: undefined }
  bits.read(3)
  if (bits.read(1)) return undefined
  if (!bits.read(1)) return { colors: undefined }
  return { colors: { primaries: bits.read(8), transfer: bits.read(8), matrix: bits.read(8) } }
}

/** Without the bytes that keep a start code from occurring (7.4.1). */
function withoutEmulation(unit: Uint8Array): Uint8Array {
  return unit.filter((byte, at) => !(byte === 3 && at > 1 && unit[at - 1] === 0 && unit[at - 2] === 0))
}

class BitReader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  /** Whether more was read than there is. */
  get isExhausted(): boolean {
    return this.#at > this.#bytes.length * 8
  }

  read(count: number): number {
    let value = 0
    for (let n = 0; n < count; n++, this.#at++)
      value = value * 2 + (((this.#bytes[this.#at >> 3] ?? 0) >> (7 - (this.#at & 7))) & 1)
    return value
  }

  /** An unsigned Exp-Golomb code (9.1). */
  exponential(): number {
    let zeros = 0
    while (!this.isExhausted && this.read(1) === 0) zeros += 1
    return 2 ** zeros - 1 + this.read(zeros)
  }
}
