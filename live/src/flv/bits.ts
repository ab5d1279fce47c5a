import { StreamEnded } from '../refusals.ts'

/** Reads bits, as parameter sets of H.264 and configurations of AAC have them. Throws `StreamEnded` at the end. */
export class BitReader {
  readonly #bytes: Uint8Array
  readonly #refusal: 'unsupported_audio' | 'unsupported_video'
  #at = 0

  constructor(bytes: Uint8Array, refusal: 'unsupported_audio' | 'unsupported_video') {
    this.#bytes = bytes
    this.#refusal = refusal
  }

  bits(count: number): number {
    let value = 0
    for (let i = 0; i < count; i++) {
      const byte = this.#bytes[this.#at >> 3]
      if (byte === undefined) throw new StreamEnded(this.#refusal)
      value = value * 2 + ((byte >> (7 - (this.#at & 7))) & 1)
      this.#at += 1
    }
    return value
  }

  flag(): boolean {
    return this.bits(1) === 1
  }

  /** An unsigned Exp-Golomb code (H.264, 9.1). */
  unsigned(): number {
    let zeros = 0
    while (!this.flag()) if ((zeros += 1) > 32) throw new StreamEnded(this.#refusal)
    return 2 ** zeros - 1 + this.bits(zeros)
  }

  signed(): number {
    const code = this.unsigned()
    return code % 2 === 1 ? (code + 1) / 2 : -code / 2
  }
}
