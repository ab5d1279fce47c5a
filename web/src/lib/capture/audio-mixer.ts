import pcmWorklet from './pcm-worklet.ts?worker&url'

export const channels = 2

export type SoundSource = 'microphone' | 'screen'

interface Input {
  source: MediaStreamAudioSourceNode
  gain: GainNode
  analyser: AnalyserNode
}

/** Mixes microphone and the sound of a screen, and measures their levels. Sources come and go during a recording. */
export class AudioMixer {
  // At the rate of the devices: Firefox connects no others.
  readonly #context = new AudioContext({ latencyHint: 'interactive' })
  readonly #mix = this.#context.createGain()
  readonly #inputs = new Map<SoundSource, Input>()
  readonly #samples = new Float32Array(1024)

  /** Replaces a source by a stream, or removes it. */
  set(name: SoundSource, stream: MediaStream | undefined): void {
    const before = this.#inputs.get(name)
    before?.source.disconnect()
    before?.gain.disconnect()
    this.#inputs.delete(name)
    if (!stream || stream.getAudioTracks().length === 0) return
    const source = this.#context.createMediaStreamSource(stream)
    const gain = this.#context.createGain()
    const analyser = this.#context.createAnalyser()
    analyser.fftSize = this.#samples.length
    gain.gain.value = before?.gain.gain.value ?? 1
    source.connect(gain).connect(analyser)
    gain.connect(this.#mix)
    this.#inputs.set(name, { source, gain, analyser })
  }

  setMuted(name: SoundSource, isMuted: boolean): void {
    const input = this.#inputs.get(name)
    if (input) input.gain.gain.value = isMuted ? 0 : 1
  }

  /** Volume of a source from 0 to 1, on a scale of 60 dB as ears hear it. */
  level(name: SoundSource): number {
    const analyser = this.#inputs.get(name)?.analyser
    if (!analyser) return 0
    analyser.getFloatTimeDomainData(this.#samples)
    const peak = this.#samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
    return peak < 0.001 ? 0 : Math.min(1, 1 + Math.log10(peak) / 3)
  }

  get sampleRate(): number {
    return this.#context.sampleRate
  }

  /** Browsers start sound only after a click; until then it waits, and nothing waits for it. */
  resume(): void {
    this.#context.resume().catch(() => undefined)
  }

  /** The mix as a track, for `MediaRecorder`. */
  openTrack(): MediaStreamAudioTrack | undefined {
    const destination = this.#context.createMediaStreamDestination()
    this.#mix.connect(destination)
    return destination.stream.getAudioTracks()[0]
  }

  /** The mix as planar stereo samples, silence included. */
  async listen(onSamples: (samples: Float32Array<ArrayBuffer>) => void): Promise<void> {
    await this.#context.audioWorklet.addModule(pcmWorklet)
    const node = new AudioWorkletNode(this.#context, 'pcm', {
      numberOfInputs: 1,
      numberOfOutputs: 1,
      channelCount: channels,
      channelCountMode: 'explicit',
    })
    node.port.addEventListener('message', ({ data }: MessageEvent<Float32Array<ArrayBuffer>>) =>
      onSamples(data),
    )
    node.port.start()
    this.#mix.connect(node)
    // A node runs while it leads to an output; this one is silent.
    node.connect(this.#context.destination)
  }

  async close(): Promise<void> {
    for (const name of this.#inputs.keys()) this.set(name, undefined)
    await this.#context.close()
  }
}
