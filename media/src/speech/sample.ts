import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Size of the header of the WAV file. */
const HEADER_BYTES = 44

/** Three seconds of speech, from eSpeak NG (`espeak-ng -v en -s 150`): what it says is in `sample.txt`. */
export function readSample(): Int16Array {
  const bytes = readFileSync(fileURLToPath(new URL('./sample.wav', import.meta.url)))
  return new Int16Array(bytes.buffer.slice(bytes.byteOffset + HEADER_BYTES, bytes.byteOffset + bytes.length))
}
