/** The part of EBML (RFC 8794) that is needed here: elements in a buffer. */

/** `end` is undefined if the element declares an unknown size. */
export type Element = { id: number; content: number; end: number | undefined }

/** The element at an offset; undefined if its header is not complete. */
export function readElement(bytes: Buffer, at: number): Element | undefined {
  const idLength = lengthOf(bytes[at])
  if (idLength > 4 || at + idLength >= bytes.length) return undefined
  const sizeAt = at + idLength
  const sizeLength = lengthOf(bytes[sizeAt])
  const content = sizeAt + sizeLength
  if (sizeLength > 8 || content > bytes.length) return undefined
  const size = readUnsigned(bytes, sizeAt, content) & ((1n << BigInt(7 * sizeLength)) - 1n)
  const isUnknown = size === (1n << BigInt(7 * sizeLength)) - 1n
  const end = isUnknown ? undefined : content + Number(size)
  return { id: Number(readUnsigned(bytes, at, sizeAt)), content, end }
}

/** The complete elements of a range. */
export function* readElements(bytes: Buffer, from: number, to: number): Generator<Element & { end: number }> {
  for (let at = from; at < to;) {
    const element = readElement(bytes, at)
    if (element?.end === undefined || element.end > Math.min(to, bytes.length)) return
    yield { ...element, end: element.end }
    at = element.end
  }
}

/** An unsigned integer. */
export function readUnsigned(bytes: Buffer, from: number, to: number): bigint {
  let value = 0n
  for (const byte of bytes.subarray(from, to)) value = (value << 8n) | BigInt(byte)
  return value
}

/** Length of a variable-size integer by its first byte; 9 if invalid. */
function lengthOf(first = 0): number {
  return first === 0 ? 9 : Math.clz32(first) - 23
}

export const EBML_HEADER = 0x1a45dfa3
export const SEGMENT = 0x18538067
