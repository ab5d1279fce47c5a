import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** A sentence, with the seconds between which Whisper would place it. */
export interface SpokenSentence {
  words: string[]
  from: number
  to: number
}

type Bytes = Uint8Array
const utf8 = (text: string) => new TextEncoder().encode(text)

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))]
}

/** Fields of protobuf: numbers as varints, texts and messages with their length. */
const number = (field: number, value: number): Bytes =>
  Uint8Array.from([...varint(field * 8), ...varint(value)])
const bytes = (field: number, value: Bytes | string): Bytes => {
  const content = typeof value === 'string' ? utf8(value) : value
  return Buffer.concat([Uint8Array.from([...varint(field * 8 + 2), ...varint(content.length)]), content])
}
const message = (...fields: Bytes[]): Bytes => Buffer.concat(fields)

/** `NodeProto` of onnx.proto, with attributes that are lists of numbers or a number. */
function node(
  type: string,
  inputs: string[],
  outputs: string[],
  attributes: Record<string, number | number[]> = {},
): Bytes {
  const attribute = ([name, value]: [string, number | number[]]) =>
    bytes(
      5,
      Array.isArray(value)
        ? message(bytes(1, name), ...value.map((each) => number(8, each)), number(20, 7))
        : message(bytes(1, name), number(3, value), number(20, 2)),
    )
  return message(
    ...inputs.map((name) => bytes(1, name)),
    ...outputs.map((name) => bytes(2, name)),
    bytes(4, type),
    ...Object.entries(attributes).map(attribute),
  )
}

const [FLOAT, INT64] = [1, 7]

/** `ValueInfoProto`: a tensor whose dimensions may be any. */
function tensor(name: string, dimensions: number, type = FLOAT): Bytes {
  const shape = Array.from({ length: dimensions }, (_, index) => bytes(1, bytes(2, `${name}${index}`)))
  return message(bytes(1, name), bytes(2, bytes(1, message(number(1, type), bytes(2, message(...shape))))))
}

interface Graph {
  nodes: Bytes[]
  inputs: Bytes[]
  outputs: Bytes[]
  initializers?: Bytes[]
}

/** `ModelProto` of opset 11. */
function model(
  { nodes, inputs, outputs, initializers = [] }: Graph,
  metadata: Record<string, string | number>,
): Bytes {
  const graph = message(
    ...nodes.map((each) => bytes(1, each)),
    bytes(2, 'graph'),
    ...initializers.map((each) => bytes(5, each)),
    ...inputs.map((each) => bytes(11, each)),
    ...outputs.map((each) => bytes(12, each)),
  )
  const properties = Object.entries(metadata).map(([key, value]) =>
    bytes(14, message(bytes(1, key), bytes(2, String(value)))),
  )
  return message(number(1, 7), bytes(8, number(2, 11)), bytes(7, graph), ...properties)
}

/**
 * Writes a model in the form of Whisper that hears the same sentences in every audio, and German if no language is given:
 * each token states the next one. It has everything that native code reads, in 200 kB.
 */
export function writeTinyWhisper(folder: string, sentences: readonly SpokenSentence[]): void {
  const words = ['!', ...new Set(sentences.flatMap((sentence) => sentence.words.map((word) => ` ${word}`)))]
  const [eot, sot, english, german, translate, transcribe, noSpeech, noTimestamps] = Array.from(
    { length: 8 },
    (_, index) => words.length + index,
  ) as [number, number, number, number, number, number, number, number]
  const timestamp = (seconds: number) => noTimestamps + 1 + Math.round(seconds / 0.02)
  const tokens = sentences.flatMap(({ words: spoken, from, to }) => [
    timestamp(from),
    ...spoken.map((word) => words.indexOf(` ${word}`)),
    timestamp(to),
  ])
  const size = timestamp(Math.max(...sentences.map(({ to }) => to))) + 1
  const table = new Float32Array(size * size)
  const follow = (token: number, next: number) => (table[token * size + next] = 20)
  follow(sot, german)
  follow(transcribe, tokens[0] ?? eot)
  for (const [index, token] of tokens.entries()) follow(token, tokens[index + 1] ?? eot)

  const metadata = {
    n_mels: 80,
    n_text_layer: 1,
    n_text_ctx: 64,
    n_text_state: 1,
    n_vocab: size,
    sot,
    eot,
    blank_id: 0,
    translate,
    transcribe,
    is_multilingual: 1,
    no_timestamps: noTimestamps,
    no_speech: noSpeech,
    sot_sequence: [sot, english, transcribe].join(','),
    all_language_tokens: [english, german].join(','),
    all_language_codes: 'en,de',
  }
  const crossOutputs = ['cross_k', 'cross_v']
  const encoder = model(
    {
      nodes: [
        node('ReduceMean', ['mel'], ['mean'], { axes: [1, 2], keepdims: 1 }),
        node('Unsqueeze', ['mean'], ['cross_k'], { axes: [0] }),
        node('Identity', ['cross_k'], ['cross_v']),
      ],
      inputs: [tensor('mel', 3)],
      outputs: crossOutputs.map((name) => tensor(name, 4)),
    },
    metadata,
  )
  const raw = new Uint8Array(table.buffer)
  const decoder = model(
    {
      nodes: [
        node('Gather', ['table', 'tokens'], ['logits'], { axis: 0 }),
        node('Identity', ['in_self_k'], ['out_self_k']),
        node('Identity', ['in_self_v'], ['out_self_v']),
      ],
      inputs: [
        tensor('tokens', 2, INT64),
        ...['in_self_k', 'in_self_v', ...crossOutputs].map((name) => tensor(name, 4)),
        tensor('offset', 1, INT64),
      ],
      outputs: [tensor('logits', 3), tensor('out_self_k', 4), tensor('out_self_v', 4)],
      initializers: [
        message(number(1, size), number(1, size), number(2, FLOAT), bytes(8, 'table'), bytes(9, raw)),
      ],
    },
    {},
  )
  mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(folder, 'tiny-encoder.onnx'), encoder)
  writeFileSync(path.join(folder, 'tiny-decoder.onnx'), decoder)
  const list = words.map((word, index) => `${Buffer.from(word).toString('base64')} ${index}\n`)
  writeFileSync(path.join(folder, 'tiny-tokens.txt'), list.join(''))
}
