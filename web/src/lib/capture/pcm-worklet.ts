/** The part of the scope of audio worklets that is used here; the types of TypeScript lack it. */
declare class AudioWorkletProcessor {
  readonly port: MessagePort
}
declare function registerProcessor(name: string, processor: new () => AudioWorkletProcessor): void

/** Frames in one message: about 43 ms. */
const messageFrames = 2048

/** Hands over the sound that arrives, as planar stereo; silence where nothing is connected. */
class PcmProcessor extends AudioWorkletProcessor {
  #samples = new Float32Array(2 * messageFrames)
  #filled = 0

  process([input]: Float32Array[][]): boolean {
    const left = input?.[0]
    const right = input?.[1] ?? left
    const frames = left?.length ?? 128
    if (left && right) {
      this.#samples.set(left, this.#filled)
      this.#samples.set(right, messageFrames + this.#filled)
    }
    this.#filled += frames
    if (this.#filled >= messageFrames) {
      this.port.postMessage(this.#samples, [this.#samples.buffer])
      this.#samples = new Float32Array(2 * messageFrames)
      this.#filled = 0
    }
    return true
  }
}

registerProcessor('pcm', PcmProcessor)
