/** Decoder configurations of H.264 (ISO 14496-15, section 5.3.3): the parameter sets of a track. */

interface AvcConfig {
  /** Profile, compatibility and level. */
  profile: [number, number, number]
  /** The byte that states how many bytes the length of each NAL unit has. */
  lengthSize: number
  sequences: Buffer[]
  pictures: Buffer[]
  /** Chroma format and bit depths, which High profile and those above state. */
  extension: Buffer
}

function parse(record: Buffer): AvcConfig {
  let at = 6
  const sets = (count: number) =>
    Array.from({ length: count }, () => {
      const start = at + 2
      at = start + record.readUInt16BE(at)
      return record.subarray(start, at)
    })
  const sequences = sets(record.readUInt8(5) & 0x1f)
  at += 1
  const pictures = sets(record.readUInt8(at - 1))
  return {
    profile: [record.readUInt8(1), record.readUInt8(2), record.readUInt8(3)],
    lengthSize: record.readUInt8(4),
    sequences,
    pictures,
    extension: record.subarray(at),
  }
}

function write({ profile, lengthSize, sequences, pictures, extension }: AvcConfig): Buffer {
  const sized = (set: Buffer) => {
    const size = Buffer.alloc(2)
    size.writeUInt16BE(set.length)
    return [size, set]
  }
  return Buffer.concat([
    Buffer.from([1, ...profile, lengthSize, 0xe0 | sequences.length]),
    ...sequences.flatMap(sized),
    Buffer.from([pictures.length]),
    ...pictures.flatMap(sized),
    extension,
  ])
}

/** An unsigned Exp-Golomb number at the beginning of bytes (H.264, section 9.1). */
function readNumber(bytes: Buffer): number {
  const bits = Array.from(bytes.subarray(0, 8), (byte) => byte.toString(2).padStart(8, '0')).join('')
  const zeros = Math.max(0, bits.indexOf('1'))
  return Number.parseInt(bits.slice(zeros, 2 * zeros + 1), 2) - 1
}

/** Bytes of a sequence parameter set before its id: the header of the NAL unit, profile, constraints and level. */
const SEQUENCE_HEAD_BYTES = 4
const PICTURE_HEAD_BYTES = 1

const idsOf = (sets: Buffer[], headBytes: number) => sets.map((set) => readNumber(set.subarray(headBytes)))

/**
 * One configuration for frames of two tracks; undefined if their parameter sets have the same ids, or their NAL units lengths of
 * other sizes.
 */
export function joinAvcConfigs(first: Buffer, second: Buffer): Buffer | undefined {
  const [a, b] = [parse(first), parse(second)]
  const share = (ids: number[], others: number[]) => ids.some((id) => others.includes(id))
  const isShared =
    share(idsOf(a.sequences, SEQUENCE_HEAD_BYTES), idsOf(b.sequences, SEQUENCE_HEAD_BYTES)) ||
    share(idsOf(a.pictures, PICTURE_HEAD_BYTES), idsOf(b.pictures, PICTURE_HEAD_BYTES))
  if (isShared || (a.lengthSize & 3) !== (b.lengthSize & 3)) return undefined
  const [profile, compatible, level] = a.profile
  const higher = b.profile[0] > profile ? b : a
  return write({
    profile: [
      higher.profile[0],
      profile === b.profile[0] ? compatible & b.profile[1] : higher.profile[1],
      Math.max(level, b.profile[2]),
    ],
    lengthSize: a.lengthSize,
    sequences: [...a.sequences, ...b.sequences],
    pictures: [...a.pictures, ...b.pictures],
    extension: higher.extension,
  })
}
