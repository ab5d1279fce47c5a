import { StreamEnded } from '../refusals.ts'

/** Values of AMF0, as far as commands of encoders contain them (Action Message Format 0, section 2). */
export type AmfValue = number | boolean | string | null | { [key: string]: AmfValue } | AmfValue[]

const NUMBER = 0
const BOOLEAN = 1
const STRING = 2
const OBJECT = 3
const NULL = 5
const UNDEFINED = 6
const ECMA_ARRAY = 8
const OBJECT_END = 9
const STRICT_ARRAY = 10
const DATE = 11
const LONG_STRING = 12

const MAX_DEPTH = 6
/** Values of a whole message. The longest of encoders, `onMetaData`, has about thirty. */
const MAX_VALUES = 512

/** Decodes all values of a message. Throws `StreamEnded` for anything malformed. */
export function decodeAmf(bytes: Buffer): AmfValue[] {
  const reader = new AmfReader(bytes)
  const values: AmfValue[] = []
  while (!reader.isAtEnd) values.push(reader.value(0))
  return values
}

class AmfReader {
  readonly #bytes: Buffer
  #at = 0
  #values = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length
  }

  value(depth: number): AmfValue {
    if (depth > MAX_DEPTH || (this.#values += 1) > MAX_VALUES) throw new StreamEnded('protocol')
    const marker = this.#take(1).readUInt8()
    switch (marker) {
      case NUMBER:
        return this.#take(8).readDoubleBE()
      case BOOLEAN:
        return this.#take(1).readUInt8() !== 0
      case STRING:
        return this.#string(2)
      case LONG_STRING:
        return this.#string(4)
      case OBJECT:
        return this.#object(depth)
      case ECMA_ARRAY:
        this.#take(4)
        return this.#object(depth)
      case STRICT_ARRAY:
        return this.#array(depth)
      case DATE: {
        const time = this.#take(8).readDoubleBE()
        this.#take(2)
        return time
      }
      case NULL:
      case UNDEFINED:
        return null
      default:
        throw new StreamEnded('protocol')
    }
  }

  #object(depth: number): AmfValue {
    const entries: [string, AmfValue][] = []
    for (;;) {
      const key = this.#string(2)
      if (key === '' && this.#bytes[this.#at] === OBJECT_END) {
        this.#at += 1
        return Object.fromEntries(entries)
      }
      entries.push([key, this.value(depth + 1)])
    }
  }

  #array(depth: number): AmfValue[] {
    const count = this.#take(4).readUInt32BE()
    if (count > MAX_VALUES) throw new StreamEnded('protocol')
    return Array.from({ length: count }, () => this.value(depth + 1))
  }

  #string(lengthBytes: 2 | 4): string {
    return this.#take(this.#take(lengthBytes).readUIntBE(0, lengthBytes)).toString('utf8')
  }

  #take(count: number): Buffer {
    if (count > this.#bytes.length - this.#at) throw new StreamEnded('protocol')
    this.#at += count
    return this.#bytes.subarray(this.#at - count, this.#at)
  }
}

/** Encodes the values of a command. */
export function encodeAmf(values: readonly AmfValue[]): Buffer {
  return Buffer.concat(values.map(encodeValue))
}

function encodeValue(value: AmfValue): Buffer {
  if (value === null) return Buffer.from([NULL])
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(9)
    bytes.writeDoubleBE(value, 1)
    return bytes
  }
  if (typeof value === 'boolean') return Buffer.from([BOOLEAN, Number(value)])
  if (typeof value === 'string') return Buffer.concat([Buffer.from([STRING]), encodeText(value)])
  const entries = Object.entries(value).flatMap(([key, item]) => [encodeText(key), encodeValue(item)])
  return Buffer.concat([Buffer.from([OBJECT]), ...entries, Buffer.from([0, 0, OBJECT_END])])
}

function encodeText(text: string): Buffer {
  const bytes = Buffer.from(text).subarray(0, 0xffff)
  const length = Buffer.alloc(2)
  length.writeUInt16BE(bytes.length)
  return Buffer.concat([length, bytes])
}
