/** Times at which a tone begins in samples, after a silence of at least some seconds. */
export function toneStarts(samples: Float32Array, rate: number, silenceSeconds: number): number[] {
  const window = Math.round(rate / 500)
  const starts: number[] = []
  let quietFor = Infinity
  for (let at = 0; at + window < samples.length; at += window) {
    const peak = samples.subarray(at, at + window).reduce((most, value) => Math.max(most, Math.abs(value)), 0)
    if (peak > 0.15) {
      if (quietFor > silenceSeconds * rate) starts.push(at / rate)
      quietFor = 0
    } else quietFor += window
  }
  return starts
}
